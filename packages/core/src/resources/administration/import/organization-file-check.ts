import type { ErrorObject } from 'ajv'

import { normalizeContent } from '../../../domain/messages/message-content.js'
import { normalizeTopic } from '../../../domain/messages/topics.js'
import { requireStorable } from '../../../domain/texts/storable-texts.js'
import { ChatError } from '../../../errors/index.js'
import { EventLoopYielder } from '../../../kernel/event-loop-yielder.js'
import { isRecord } from '../../../kernel/objects.js'
import type { ServerFacts } from '../../../kernel/server-facts.js'
import { FileCheck, idOf, listOf } from '../../../resource-definition/file-check.js'
import { numberedTable } from '../../../resource-definition/file-section.js'
import { checkAccounts } from './account-check.js'
import { checkChannels, checkSubscriptions } from './channel-check.js'
import { checkGroups } from './group-check.js'
import { OrganizationFileError } from './organization-file-error.js'
import type { OrganizationFileFormat } from './organization-file-format.js'
import type { OrganizationFile } from './organization-file-schema.js'
import { checkOrganization } from './settings-check.js'

/** Reports problems with the messages of a file. */
async function checkMessages(check: FileCheck): Promise<void> {
  const id = check.once()
  for await (const { place, item } of check.each('messages')) {
    if (item.id !== undefined) id(`${place}/id`, item.id)
    check.requireKnown(`${place}/sender_id`, 'user', item.sender_id)
    for (const key of ['to', 'read_by', 'starred_by', 'collapsed_by'] as const) {
      check.requireAllKnown(`${place}/${key}`, 'user', item[key])
    }
    if ((item.channel_id === undefined) === (item.to === undefined)) {
      check.report(place, 'needs either channel_id or to')
    }
    if (item.channel_id !== undefined) {
      check.requireKnown(`${place}/channel_id`, 'channel', item.channel_id)
      if (item.topic === undefined) check.report(place, 'needs a topic')
    }
    check.requireRule(`${place}/topic`, () => normalizeTopic(item.topic ?? ''))
    check.requireRule(`${place}/content`, () => normalizeContent(item.content))
  }
}

/**
 * Checks a parsed organization file as a whole.
 *
 * @throws {OrganizationFileError} with all problems, if there are any.
 */
export async function requireOrganizationFile(
  value: unknown,
  format: OrganizationFileFormat,
  { systemBotDomain }: Pick<ServerFacts, 'systemBotDomain'>,
): Promise<OrganizationFile> {
  const { problems, malformed } = await shapeProblems(value, format)
  const check = new FileCheck(isRecord(value) ? value : {}, malformed)
  checkOrganization(check)
  for (const checkPart of [
    (file: FileCheck) => checkAccounts(file, systemBotDomain),
    checkGroups,
    checkChannels,
    checkSubscriptions,
    checkMessages,
  ]) {
    await checkPart(check)
  }
  for (const section of format.sections) {
    const { key } = section
    const hasIds = numberedTable(section) !== undefined
    await section.check(hasIds ? check.eachWithId(key) : check.each(key), check)
  }
  checkNextIds(check, format)
  const all = [...problems, ...check.problems]
  if (all.length > 0) throw new OrganizationFileError(all)
  // Its shape, and all that the type says about the values, has been checked.
  return value as OrganizationFile
}

async function shapeProblems(
  value: unknown,
  format: OrganizationFileFormat,
): Promise<{ problems: readonly string[]; malformed: ReadonlySet<string> }> {
  const { frame, lists } = await format.validators()
  const problems: string[] = []
  const malformed = new Set<string>()
  const note = (place: string, errors: readonly ErrorObject[] | null | undefined): void => {
    const texts = (errors ?? []).map((error) => problemOf(place, error))
    problems.push(...new Set(texts.filter((text) => text !== undefined)))
  }
  const findUnstorable = (place: string, part: unknown): boolean => {
    try {
      requireStorable(place, part)
      return false
    } catch (error) {
      if (!(error instanceof ChatError)) throw error
      problems.push(`${place}: ${error.message}`)
      return true
    }
  }
  for (const [key, part] of Object.entries(isRecord(value) ? value : {})) {
    if (!lists.has(key)) findUnstorable(`/${key}`, part)
  }
  if (!frame(value)) {
    note('', frame.errors)
    for (const { instancePath } of frame.errors ?? []) {
      for (const place of placesOn(instancePath)) malformed.add(place)
    }
  }
  const yielder = new EventLoopYielder()
  for (const [key, validate] of lists) {
    for (const [index, item] of listOf(isRecord(value) ? value[key] : undefined).entries()) {
      if (yielder.isDue) await yielder.yield()
      const place = `/${key}/${index}`
      const isValid = validate(item)
      if (!isValid) note(place, validate.errors)
      if (findUnstorable(place, item) || !isValid) malformed.add(place)
    }
  }
  return { problems, malformed }
}

/** A JSON pointer and all of its parents. */
function placesOn(path: string): readonly string[] {
  const keys = path.split('/').slice(1)
  return keys.map((_, index) => `/${keys.slice(0, index + 1).join('/')}`)
}

/** Undefined for an error that another problem already covers. */
function problemOf(place: string, error: ErrorObject): string | undefined {
  const where = `${place}${error.instancePath}` || '/'
  // Ajv reports every alternative of a union separately; they are reported as one problem.
  if (error.keyword === 'anyOf') return `${where}: ${noneOf(listOf(error.schema))}`
  if (error.schemaPath.includes('/anyOf/')) return undefined
  if (error.keyword === 'additionalProperties') {
    return `${where}: has no key '${String(error.params['additionalProperty'])}'`
  }
  return `${where}: ${error.message ?? 'is wrong'}`
}

function noneOf(alternatives: readonly unknown[]): string {
  const values = alternatives.map((schema) => (isRecord(schema) ? schema['const'] : undefined))
  return values.includes(undefined)
    ? 'has none of the possible values'
    : `must be one of ${values.join(', ')}`
}

function checkNextIds(check: FileCheck, { numberedLists }: OrganizationFileFormat): void {
  const nextIds = check.record<Record<string, number>>('/next_ids')
  for (const { key, keys } of numberedLists) {
    const nextId = nextIds[key]
    if (nextId === undefined) continue
    const items = keys.flatMap((list) => check.items(list))
    const highest = items.reduce((one, { item }) => Math.max(one, idOf(item) ?? 0), 0)
    if (nextId <= highest) check.report(`/next_ids/${key}`, `${highest} is in use already`)
  }
}
