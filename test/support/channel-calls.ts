import type { Answer, Client } from './client.js'

/** A channel, by both of its names in the API. */
export interface NamedChannel {
  readonly id: number
  readonly name: string
}

/** A request with one parameter that refers to a channel. */
export interface ChannelCall {
  readonly title: string
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly parameter: string
  readonly valueOf: (channel: NamedChannel) => unknown
  /** The other required parameters, without those of the path. */
  readonly others: readonly string[]
}

/** The caller of a request, and the caller's own items that it may refer to, by parameter. */
export interface CallContext {
  readonly client: Client
  readonly own: Readonly<Record<string, number>>
}

interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly contentSchema?: Schema
}

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly schema: Schema
  }[]
  readonly requestBody?: {
    readonly content: Readonly<
      Record<
        string,
        {
          readonly schema: {
            readonly properties?: Readonly<Record<string, Schema>>
            readonly required?: readonly string[]
          }
        }
      >
    >
  }
}

type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> }
type Values = Readonly<Record<string, (channel: NamedChannel) => unknown>>

const idOf = ({ id }: NamedChannel): unknown => id
const nameOf = ({ name }: NamedChannel): unknown => name
const byIdOrName: Values = { id: idOf, name: nameOf }
const draft = (id: number): object => ({
  type: 'stream',
  to: [id],
  topic: 'lunch',
  content: 'Soup',
})
const soon = 4_000_000_000

/** How each parameter refers to a channel. */
const values: Readonly<Record<string, Values>> = {
  stream_id: { id: idOf },
  stream_ids: { list: ({ id }) => [id] },
  stream: { name: nameOf },
  new_stream_announcements_stream_id: { id: idOf },
  signup_announcements_stream_id: { id: idOf },
  zulip_update_announcements_stream_id: { id: idOf },
  moderation_request_channel_id: { id: idOf },
  default_sending_stream: { name: nameOf },
  default_events_register_stream: { name: nameOf },
  delete: { name: ({ name }) => [name] },
  subscription_data: {
    id: ({ id }) => [{ stream_id: id, property: 'is_muted', value: true }],
  },
  drafts: { id: ({ id }) => [draft(id)] },
  draft: { id: ({ id }) => draft(id) },
  narrow: {
    id: ({ id }) => [{ operator: 'channel', operand: id }],
    name: ({ name }) => [{ operator: 'stream', operand: name }],
    'as a pair': ({ name }) => [['channel', name]],
    negated: ({ id }) => [{ operator: 'channel', operand: id, negated: true }],
    'with a topic': ({ name }) => [
      { operator: 'channel', operand: name },
      { operator: 'topic', operand: 'lunch' },
    ],
  },
}

/** The same for parameters with another meaning in other operations. */
const valuesIn: Readonly<Record<string, Values>> = {
  'send-message to': { ...byIdOrName, list: ({ name }) => [name] },
  'create-scheduled-message to': { id: idOf },
  'update-scheduled-message to': { id: idOf },
  'unsubscribe subscriptions': { name: ({ name }) => [name] },
  'render-message content': {
    channel: ({ name }) => `#**${name}**`,
    topic: ({ name }) => `#**${name}>lunch**`,
    message: ({ name }) => `#**${name}>lunch@1**`,
  },
}

/** Parameters that look as if they referred to a channel. */
const namesNone: ReadonlySet<string> = new Set([
  // Words, ids of other items, and enumerations.
  'content',
  'topic',
  'topic_name',
  'widget_content',
  'topics_policy',
  'subscribers',
  'channel_folder_id',
  'folder_id',
  'draft_id',
  'include_subscribers',
  'demote_inactive_streams',
  'web_channel_default_view',
  'web_stream_unreads_count_display_policy',
  'resolved_topic_notice_auto_read_policy',
  'automatically_follow_topics_policy',
  'automatically_unmute_topics_in_muted_streams_policy',
  'move_messages_within_stream_limit_seconds',
  'move_messages_between_streams_limit_seconds',
  // Users.
  'set-typing-status to',
  'update-user-group-members add',
  'update-user-group-members delete',
  'update-user-group-subgroups add',
  'update-user-group-subgroups delete',
  // Creates a channel if the name is unused: its errors have a test of their own.
  'subscribe subscriptions',
  'update-subscriptions add',
  // The narrow of a queue is checked when events are sent.
  'register-queue narrow',
  'get-events narrow',
])

const looksLikeChannel = /stream|channel|topic|narrow|subscri|draft|^to$|^content$|^add$|^delete$/

/** Every request that refers to a channel, from the declarations. */
export function callsWithChannels({ paths }: Document): ChannelCall[] {
  const calls: ChannelCall[] = []
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      calls.push(...callsOf(path.replace('/api/v1', ''), method.toUpperCase(), operation))
    }
  }
  return calls
}

function callsOf(path: string, method: string, operation: Operation): ChannelCall[] {
  const { operationId } = operation
  const parameters = parametersOf(operation)
  const calls: ChannelCall[] = []
  for (const { name } of parameters.filter(mayNameChannel)) {
    const inOperation = `${operationId} ${name}`
    const ways = valuesIn[inOperation] ?? values[name]
    if (namesNone.has(inOperation) || (namesNone.has(name) && ways === undefined)) continue
    if (ways === undefined) {
      throw new Error(`Declare in ${import.meta.url} how ${inOperation} refers to a channel`)
    }
    const others = parameters.filter((one) => one.name !== name && one.isNeeded)
    for (const [way, valueOf] of Object.entries(ways)) {
      calls.push({
        title: `${operationId}: ${name} by ${way}`,
        operationId,
        method,
        path,
        parameter: name,
        valueOf,
        others: others.map((one) => one.name),
      })
    }
  }
  return calls
}

interface NamedParameter {
  readonly name: string
  readonly schema: Schema
  readonly isNeeded: boolean
}

function parametersOf({ parameters = [], requestBody }: Operation): NamedParameter[] {
  const contents = requestBody?.content ?? {}
  const form = contents['application/x-www-form-urlencoded'] ?? contents['multipart/form-data']
  const requiredInForm = new Set(form?.schema.required)
  return [
    ...parameters
      .filter((one) => one.in !== 'header')
      .map(({ name, schema, required = false }) => ({
        name,
        schema,
        isNeeded: required || name in defaults,
      })),
    ...Object.entries(form?.schema.properties ?? {}).map(([name, schema]) => ({
      name,
      schema,
      isNeeded: requiredInForm.has(name) || name in defaults,
    })),
  ]
}

function mayNameChannel({ name, schema }: NamedParameter): boolean {
  const { type, enum: choices } = schema.contentSchema ?? schema
  if (type === 'boolean' || choices !== undefined || name.endsWith('_group')) return false
  return looksLikeChannel.test(name)
}

/** Values of parameters that refer to no channel; optional ones of these are sent too. */
const defaults: Readonly<Record<string, unknown>> = {
  type: 'channel',
  topic: 'lunch',
  anchor: 'newest',
  num_before: 10,
}

const needed: Readonly<Record<string, unknown>> = {
  ...defaults,
  topic_name: 'lunch',
  content: 'Soup',
  scheduled_delivery_timestamp: soon,
  num_after: 0,
  flag: 'starred',
  op: 'add',
  visibility_policy: 1,
  bot_type: 1,
  invitee_emails: 'new@invited.example',
}

let counter = 0

/** Sends the request; everything else that it refers to belongs to the caller. */
export function requestOf(
  call: ChannelCall,
  channel: NamedChannel,
  { client, own }: CallContext,
): Promise<Answer> {
  counter += 1
  const value = call.valueOf(channel)
  const params: Record<string, unknown> = {}
  const valueFor = (name: string): unknown => {
    if (name === call.parameter) return value
    if (name === 'full_name' || name === 'short_name') return `new${counter}`
    if (name === 'op' && call.operationId === 'set-typing-status') return 'start'
    if (name === 'msg_ids') return [own['searched_message_id'] ?? own['message_id']]
    const known = own[name] ?? needed[name]
    if (known === undefined) throw new Error(`${call.title} needs a value of ${name}`)
    return known
  }
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(valueFor(name)))
  for (const name of [call.parameter, ...call.others]) {
    if (!call.path.includes(`{${name}}`)) params[name] = valueFor(name)
  }
  // A move needs one of them, not both.
  if (call.operationId === 'update-message') delete params['topic']
  const encoded = new URLSearchParams(
    Object.entries(params).map(([name, one]) => [
      name,
      typeof one === 'string' ? one : JSON.stringify(one),
    ]),
  ).toString()
  return call.method === 'GET'
    ? client.send('GET', `${path}?${encoded}`)
    : client.send(call.method, path, encoded)
}

/** The response without the channel's names, byte for byte. */
export function shownAnswer({ status, text }: Answer, { id, name }: NamedChannel): string {
  const shown = text
    .replaceAll(name, '<name>')
    .replaceAll(encodeURIComponent(name), '<name>')
    // A user may have the same id.
    .replaceAll(new RegExp(`(?<!"sender_id":|user_avatars/default/)\\b${id}\\b`, 'g'), '<id>')
  return `${status} ${shown}`
}
