import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { organizationPresets } from '../../packages/core/src/domain/organizations/organization-presets.js'
import { allOperations } from '../../packages/core/src/resources/index.js'
import { castOf } from '../support/cast.js'
import { everyCapability } from '../support/client-capabilities.js'
import { encode, type Client } from '../support/client.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { EventFeed } from '../support/event-feed.js'
import { examples } from '../support/examples/index.js'
import { TestHost, type HostCase } from '../support/host.js'
import { createdField } from '../support/profile-fields.js'
import type { UncheckedJson } from '../support/unchecked-json.js'
import { pngOf, readRoot, sendFiles, upload } from '../support/uploads.js'

/**
 * Alice, Bob, Carol and Dora are other customers. Gus, who must not notice them, has a channel with
 * Olga, who is of the staff like all others.
 */
const others = ['alice', 'bob', 'carol', 'dora'] as const
/** In what the other customers write, and in the names of their channels. */
const mark = 'quillfeather'
const channelOffset = 500_000

const registration = {
  client_capabilities: everyCapability,
  include_subscribers: true,
  apply_markdown: true,
  presence_history_limit_days: 365,
}

type Preset = 'support' | 'comments'

/** An organization as the preset makes it, with ids of users that nothing else has. */
async function customersOf(host: TestHost, preset: Preset): Promise<HostCase> {
  const { permissions, settings, userDefaults } = organizationPresets[preset]
  const subdomain = `shop-${preset}`
  const people = ['olga', 'adam', 'mona', 'gus', ...others] as const
  const cast = castOf(
    preset === 'support' ? 77_000_000 : 78_000_000,
    subdomain,
    {
      settings: { ...permissions, ...settings },
      userSettings: Object.fromEntries(people.map((name) => [name, userDefaults])),
    },
    (credentials, id, name) => host.client(subdomain, credentials, id, name),
  )
  const { olga, gus, mona } = cast.people
  const customers = new Set(others.map((name) => cast.people[name].id))
  const listed = cast.file as UncheckedJson
  const channels = Object.fromEntries(
    Object.entries(cast.channels).map(([name, id]) => [name, id + channelOffset]),
  ) as unknown as HostCase['channels']
  const file = {
    ...listed,
    users: listed.users.map((user: UncheckedJson) =>
      customers.has(user.id) ? { ...user, role: 600 } : user,
    ),
    bots: listed.bots.map((bot: UncheckedJson) => ({ ...bot, owner_id: mona.id })),
    channels: [
      ...listed.channels.map(({ is_default: _, ...channel }: UncheckedJson) => ({
        ...channel,
        id: channel.id + channelOffset,
        privacy: channel.name === 'window' ? 'private' : channel.privacy,
        subscribers: channel.subscribers.filter((id: number) => id !== gus.id),
      })),
      {
        id: Math.max(...Object.values(channels)) + 1,
        name: 'own',
        privacy: 'private',
        subscribers: [olga.id, gus.id],
      },
      {
        id: Math.max(...Object.values(channels)) + 2,
        name: `${mark} order`,
        description: `Of ${mark}`,
        privacy: 'private',
        subscribers: [olga.id, cast.people.alice.id],
      },
    ],
  }
  await host.chat.organizations.load(JSON.parse(JSON.stringify(file)))
  return { ...cast, channels, host, clock: host.clock }
}

/** What Alice has left in the chat. */
interface Traces {
  readonly channelId: number
  readonly messageId: number
  readonly filePath: string
  readonly avatarPath: string
}

async function leaveTraces({ people }: HostCase): Promise<Traces> {
  const { alice, olga } = people
  const { body: own } = await alice.get('/users/me/subscriptions')
  const { stream_id: channelId } = own.subscriptions.find(({ name }) => name.includes(mark))!
  const filePath = await upload(alice, { name: `${mark}.txt`, bytes: mark })
  const messageId = await alice.say(channelId, `${mark} topic`, `I am ${mark}: [file](${filePath})`)
  await olga.say(channelId, `${mark} topic`, `@**Alice Test** is ${mark}`)
  await olga.post(`/messages/${messageId}/reactions`, { emoji_name: 'tada' })
  await alice.post(`/messages/${messageId}/reactions`, { emoji_name: 'tada' })
  await alice.post('/users/me/status', { status_text: mark })
  await alice.post('/users/me/presence', { status: 'active', new_user_input: true })
  const field = await createdField(olga, { name: 'Hobby', field_type: 1 })
  await alice.patch('/users/me/profile_data', { data: [{ id: field, value: mark }] })
  const picture = { name: 'me.png', type: 'image/png', bytes: pngOf(8, 8) }
  await sendFiles(alice, '/users/me/avatar', [picture])
  const { avatar_url } = (await alice.get('/users/me')).body
  return { channelId, messageId, filePath, avatarPath: avatar_url }
}

/** What must not reach Gus: texts in any text, and ids as numbers or as keys. */
interface Secrets {
  readonly texts: readonly string[]
  readonly ids: ReadonlySet<number>
}

/**
 * Ids of hidden users that the API gives to guests: clients get the members of all groups, and
 * changes of them (`docs/customers.md`).
 */
const memberships = /^\.?(?:realm_user_groups\[\]\.members\[\]|user_group\.user_ids\[\])$/

/** The places of an answer or event with something of the other customers that was not `sent`. */
function leaksIn(value: unknown, secrets: Secrets, sent = '', place = ''): string[] {
  const isSecretId = (id: number) => secrets.ids.has(id) && !sent.includes(String(id))
  if (typeof value === 'number') {
    return isSecretId(value) && !memberships.test(place) ? [`${place}: ${value}`] : []
  }
  if (typeof value === 'string') {
    const text = value.toLowerCase()
    return secrets.texts
      .filter((secret) => text.includes(secret) && !sent.includes(secret))
      .map((secret) => `${place}: ${secret} in ${value.slice(0, 100)}`)
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => [
    ...leaksIn(key, secrets, sent, `key of ${place}`),
    ...leaksIn(item, secrets, sent, Array.isArray(value) ? `${place}[]` : `${place}.${key}`),
  ])
}

/** Values of the parameters with which Gus asks for what is Alice's, several to be tried in turn. */
function valuesNaming(alice: Client, traces: Traces): Readonly<Record<string, readonly unknown[]>> {
  const { channelId, messageId } = traces
  const [, , realmId = '', ...rest] = traces.filePath.split('/')
  const standIn = `user${alice.id}@${alice.endpoint.subdomain}.example`
  const narrows = [
    ['search', mark],
    ['sender', alice.id],
    ['sender', alice.email],
    ['channel', channelId],
    ['channel', `${mark} order`],
    ['dm', [alice.id]],
    ['dm-including', alice.id],
    ['id', messageId],
    ['near', messageId],
    ['with', messageId],
    ['has', 'reaction'],
    ['channels', 'public'],
    ['mentions', alice.id],
  ]
  return {
    user_id: [alice.id],
    user_id_or_email: [alice.id, alice.email],
    email: [alice.email, standIn],
    stream_id: [channelId],
    stream: [`${mark} order`],
    message_id: [messageId],
    message_ids: [[messageId]],
    msg_ids: [[messageId]],
    user_ids: [[alice.id]],
    narrow: [[], ...narrows.map(([operator, operand]) => [{ operator, operand }])],
    anchor: ['newest', messageId],
    num_before: [10],
    num_after: [10],
    realm_id: [realmId],
    realm_id_str: [realmId],
    filename: [rest.join('/')],
    // The default picture of a user: its name is the id.
    file_name: [`${alice.id}.png`],
    include_all: [true],
    include_subscribers: [true],
    include_custom_profile_fields: [true],
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Parameters that exclude the others of their operation. */
const alone = new Set(['message_ids'])

/**
 * Requests of an operation: without parameters that may be left out, and with each value of each
 * parameter beside the first values of the others.
 */
function requestsOf(
  { path, params }: (typeof allOperations)[number],
  values: Readonly<Record<string, readonly unknown[]>>,
): { path: string; params: Record<string, unknown> }[] {
  const known = Object.keys(params).filter((name) => name in values)
  const together = known.filter((name) => !alone.has(name))
  const first = Object.fromEntries(together.map((name) => [name, values[name]?.[0]]))
  const choices: Record<string, unknown>[] = [
    {},
    ...known.flatMap(
      (name) =>
        values[name]?.map((value) => ({ ...(alone.has(name) ? {} : first), [name]: value })) ?? [],
    ),
  ]
  const valueOf = (chosen: Record<string, unknown>, name: string): string => {
    const value = chosen[name] ?? first[name] ?? mark
    return typeof value === 'string' ? value : JSON.stringify(value)
  }
  const inPath = (name: string) => path.includes(`{${name}}`)
  return choices.map((chosen) => ({
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => valueOf(chosen, name)),
    params: Object.fromEntries(Object.entries(chosen).filter(([name]) => !inPath(name))),
  }))
}

reportSkippedColumns()
const [database] = databaseColumns()
if (database === undefined) throw new Error('There is no database to test with.')

for (const preset of ['support', 'comments'] as const) {
  describe(`a customer of the preset ${preset}`, () => {
    const host = new TestHost('express', database, { invitations: { confirmAddresses: false } })
    let at: HostCase
    let traces: Traces
    let secrets: Secrets
    before(async () => {
      await host.start()
      at = await customersOf(host, preset)
      traces = await leaveTraces(at)
      const people = others.map((name) => at.people[name])
      secrets = {
        texts: [
          mark,
          ...people.flatMap(({ id, name }) => [`${name} test`, `${name}@`, String(id)]),
          traces.avatarPath.split('/').at(-1)?.split('.')[0] ?? '',
        ],
        ids: new Set([...people.map(({ id }) => id), traces.channelId]),
      }
    })
    after(() => host.stop())

    it('is not seen by the test alone: the staff find what other customers have left', async () => {
      const { olga, alice } = at.people
      const snapshot = (await olga.post('/register', registration)).body
      const { messages } = (
        await olga.get('/messages', { anchor: 'newest', num_before: 10, num_after: 0 })
      ).body

      const found = leaksIn({ snapshot, messages }, secrets).join('\n')

      for (const secret of [mark, 'alice test', String(alice.id), 'key of']) {
        assert.ok(found.includes(secret), secret)
      }
      assert.equal((await readRoot(alice, traces.filePath)).status, 200)
    })

    it('finds nothing of other customers in a registration', async () => {
      const { body, status } = await at.people.gus.post('/register', registration)

      assert.equal(status, 200)
      assert.deepEqual(leaksIn(body, secrets), [])
    })

    it('finds only placeholders for them, if the client needs the whole list of users', async () => {
      const { body } = await at.people.gus.post('/register', { fetch_event_types: ['realm_user'] })

      const hidden = body.realm_users.filter(({ user_id }: UncheckedJson) =>
        secrets.ids.has(user_id),
      )
      assert.equal(hidden.length, others.length)
      for (const { full_name, email, avatar_url, ...user } of hidden) {
        assert.deepEqual([full_name, user.delivery_email], ['Unknown user', null])
        assert.match(email, /^user\d+@/)
        assert.match(avatar_url, /unknown\.png/)
      }
    })

    it('finds nothing of other customers by any operation that reads', async () => {
      const { gus, alice } = at.people
      const values = valuesNaming(alice, traces)
      const reads = allOperations.filter(
        ({ method, path }) => method === 'GET' && path !== '/events' && path !== '/openapi.json',
      )
      const found: string[] = []
      const accepted = new Set<string>()
      for (const operation of reads) {
        for (const { path, params } of requestsOf(operation, values)) {
          const query = encode(params)
          const { status, text } =
            operation.isAtRoot === true
              ? await readRoot(gus, `${path}?${query}`)
              : await gus.get(path, params)
          if (status === 200) accepted.add(operation.id)
          const sent = decodeURIComponent(`${path}?${query}`).toLowerCase()
          const leaks = leaksIn(parsed(text), secrets, sent)
          if (leaks.length > 0) found.push(`${operation.id} ${sent}: ${leaks.join('; ')}`)
        }
      }

      assert.deepEqual(found, [])
      for (const id of ['get-users', 'get-messages', 'get-presence', 'get-attachments']) {
        assert.ok(accepted.has(id), `${id} was not called rightly`)
      }
      for (const id of ['get-user', 'get-message', 'get-stream-by-id', 'read-file']) {
        assert.ok(!accepted.has(id), id)
      }
    })

    it('gets no event about other customers, whatever they and the staff do', async () => {
      const { gus } = at.people
      const feed = await EventFeed.register(gus, registration)
      const found: string[] = []
      let accepted = 0
      for (const [id, { call, server }] of Object.entries(examples)) {
        if (server !== undefined) continue
        for (const name of ['alice', 'bob', 'olga'] as const) {
          // Customers may not do much of it; a refused call must not be noticed either.
          const answer = await call(at, at.people[name]).catch(() => undefined)
          if (answer?.status === 200) accepted += 1
          const events = await feed.drain()
          const leaks = events.flatMap((event) => leaksIn(event, secrets, '', event.type))
          if (leaks.length > 0) found.push(`${id} by ${name}: ${leaks.join('; ')}`)
        }
      }

      assert.deepEqual(found, [])
      assert.ok(accepted > 200, String(accepted))
    })
  })
}
