import { Ajv } from 'ajv'

import { foldCase } from '../../domain/folding.js'
import {
  defaultOrganizationSettings,
  organizationPermissions,
  systemGroupNames,
  type OrganizationSettings,
} from '../../domain/organization-settings.js'
import { userSettingDefinitions, type UserSettingName } from '../../domain/user-settings.js'
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
  const problems = [...duplicates(file), ...danglingReferences(file), ...wrongSettings(file)]
  if (problems.length > 0) throw new OrganizationFileError(problems)
  return file
}

function* duplicates(file: OrganizationFile): Iterable<string> {
  const accounts = [...file.users, ...(file.bots ?? [])]
  const { groups = [], channels = [], messages = [] } = file
  yield* repeated(
    'user id',
    accounts.map(({ id }) => id),
  )
  yield* repeated(
    'email',
    accounts.map(({ email }) => foldCase(email)),
  )
  yield* repeated(
    'api_key',
    accounts.flatMap(({ api_key }) => (api_key === undefined ? [] : [api_key])),
  )
  yield* repeated(
    'external_id',
    file.users.flatMap(({ external_id }) => (external_id === undefined ? [] : [external_id])),
  )
  yield* repeated(
    'group id',
    groups.map(({ id }) => id),
  )
  yield* repeated(
    'group name',
    groups.map(({ name }) => name),
  )
  yield* repeated(
    'channel id',
    channels.map(({ id }) => id),
  )
  yield* repeated(
    'channel name',
    channels.map(({ name }) => foldCase(name)),
  )
  yield* repeated(
    'message id',
    messages.flatMap(({ id }) => (id === undefined ? [] : [id])),
  )
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

/** The settings whose value may also be null: no limit, or the server's own choice. */
const nullableSettings: ReadonlySet<string> = new Set([
  'message_content_edit_limit_seconds',
  'message_content_delete_limit_seconds',
  'move_messages_within_stream_limit_seconds',
  'move_messages_between_streams_limit_seconds',
  'jitsi_server_url',
  'push_notifications_enabled_end_timestamp',
])

function* wrongSettings(file: OrganizationFile): Iterable<string> {
  for (const [name, value] of Object.entries(file.organization.settings ?? {})) {
    const problem = organizationSettingProblem(name, value)
    if (problem !== undefined) yield `/organization/settings: ${name} ${problem}`
  }
  for (const user of file.users) {
    for (const [name, value] of Object.entries(user.settings ?? {})) {
      const problem = userSettingProblem(name, value)
      if (problem !== undefined) yield `/users ${user.id}: ${name} ${problem}`
    }
  }
}

function organizationSettingProblem(name: string, value: unknown): string | undefined {
  if (Object.hasOwn(organizationPermissions, name)) {
    const isKnown = (systemGroupNames as readonly unknown[]).includes(value)
    return isKnown ? undefined : 'must be the name of a system group'
  }
  if (!Object.hasOwn(defaultOrganizationSettings, name)) return 'is not a setting'
  if (value === null && nullableSettings.has(name)) return undefined
  const initial = defaultOrganizationSettings[name as keyof OrganizationSettings]
  const type =
    initial === null ? (name === 'jitsi_server_url' ? 'string' : 'number') : typeof initial
  return typeof value === type ? undefined : `must be a ${type}`
}

function userSettingProblem(name: string, value: unknown): string | undefined {
  if (!Object.hasOwn(userSettingDefinitions, name)) return 'is not a setting'
  const { values } = userSettingDefinitions[name as UserSettingName]
  const type = values.type === 'integer' ? 'number' : values.type
  if (typeof value !== type) return `must be a ${values.type}`
  const allowed: readonly unknown[] | undefined = 'allowed' in values ? values.allowed : undefined
  if (allowed === undefined || allowed.includes(value)) return undefined
  return `must be one of ${allowed.join(', ')}`
}
