import { Ajv } from 'ajv'

import { foldCase } from '../../domain/folding.js'
import {
  defaultOrganizationSettings,
  organizationPermissions,
  systemGroupNames,
} from '../../domain/organization-settings.js'
import { userSettingDefinitions } from '../../domain/user-settings.js'
import { OrganizationFile } from './organization-file-schema.js'

/** An organization file that cannot be loaded; nothing of it was. */
export class OrganizationFileError extends TypeError {
  constructor(
    /** Every problem that was found, each naming its place. */
    readonly problems: readonly string[],
  ) {
    super(`The organization file is wrong: ${problems.join('; ')}`)
    this.name = 'OrganizationFileError'
  }
}

const validate = new Ajv({ allErrors: true, strict: false }).compile(OrganizationFile)

/**
 * Checks a parsed organization file as a whole.
 *
 * @throws {OrganizationFileError} with all problems if there is any.
 */
export function requireOrganizationFile(value: unknown): OrganizationFile {
  if (!validate(value)) {
    throw new OrganizationFileError(
      (validate.errors ?? []).map((error) => `${error.instancePath || '/'} ${error.message ?? ''}`),
    )
  }
  const file = value as OrganizationFile
  const problems = [...duplicates(file), ...danglingReferences(file), ...unknownSettings(file)]
  if (problems.length > 0) throw new OrganizationFileError(problems)
  return file
}

function* duplicates(file: OrganizationFile): Iterable<string> {
  const accounts = [...file.users, ...(file.bots ?? [])]
  const { groups = [], channels = [], messages = [] } = file
  yield* repeated('user id', accounts.map(({ id }) => id))
  yield* repeated('email', accounts.map(({ email }) => foldCase(email)))
  yield* repeated('api_key', accounts.flatMap(({ api_key }) => (api_key === undefined ? [] : [api_key])))
  yield* repeated('external_id', file.users.flatMap(({ external_id }) => (external_id === undefined ? [] : [external_id])))
  yield* repeated('group id', groups.map(({ id }) => id))
  yield* repeated('group name', groups.map(({ name }) => name))
  yield* repeated('channel id', channels.map(({ id }) => id))
  yield* repeated('channel name', channels.map(({ name }) => foldCase(name)))
  yield* repeated('message id', messages.flatMap(({ id }) => (id === undefined ? [] : [id])))
}

function* repeated(what: string, values: readonly (number | string)[]): Iterable<string> {
  const seen = new Set<number | string>()
  for (const value of values) {
    if (seen.has(value)) yield `${what} ${value} is used twice`
    seen.add(value)
  }
}

function* danglingReferences(file: OrganizationFile): Iterable<string> {
  const users = new Set([...file.users, ...(file.bots ?? [])].map(({ id }) => id))
  const channels = new Set((file.channels ?? []).map(({ id }) => id))
  const groups = new Set<number | string>([
    ...(file.groups ?? []).map(({ id }) => id),
    ...systemGroupNames,
  ])
  for (const bot of file.bots ?? []) {
    if (bot.owner_id !== null) yield* missing(users, [bot.owner_id], `/bots ${bot.id}: owner`)
  }
  for (const group of file.groups ?? []) {
    yield* missing(users, group.members ?? [], `/groups ${group.id}: member`)
    yield* missing(groups, group.subgroups ?? [], `/groups ${group.id}: subgroup`)
    if (group.creator_id !== undefined) {
      yield* missing(users, [group.creator_id], `/groups ${group.id}: creator`)
    }
  }
  for (const channel of file.channels ?? []) {
    yield* missing(users, channel.subscribers ?? [], `/channels ${channel.id}: subscriber`)
    if (channel.creator_id !== undefined) {
      yield* missing(users, [channel.creator_id], `/channels ${channel.id}: creator`)
    }
  }
  for (const [index, message] of (file.messages ?? []).entries()) {
    const place = `/messages/${index}:`
    yield* missing(users, [message.sender_id], `${place} sender`)
    yield* missing(users, message.to ?? [], `${place} recipient`)
    yield* missing(users, message.read_by ?? [], `${place} reader`)
    if (message.channel_id !== undefined) {
      yield* missing(channels, [message.channel_id], `${place} channel`)
    }
    if ((message.channel_id === undefined) === (message.to === undefined)) {
      yield `${place} needs either channel_id or to`
    }
    if (message.channel_id !== undefined && message.topic === undefined) {
      yield `${place} needs a topic`
    }
  }
}

function* missing(
  known: ReadonlySet<number | string>,
  used: readonly (number | string)[],
  what: string,
): Iterable<string> {
  for (const id of used) if (!known.has(id)) yield `${what} ${id} is not in the file`
}

function* unknownSettings(file: OrganizationFile): Iterable<string> {
  for (const name of Object.keys(file.organization.settings ?? {})) {
    if (!(name in defaultOrganizationSettings) && !(name in organizationPermissions)) {
      yield `/organization/settings: ${name} is not a setting`
    }
  }
  for (const user of file.users) {
    for (const name of Object.keys(user.settings ?? {})) {
      if (!(name in userSettingDefinitions)) yield `/users ${user.id}: ${name} is not a setting`
    }
  }
}
