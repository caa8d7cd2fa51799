import assert from 'node:assert/strict'

import type { Client } from './client.js'
import type { DatabaseColumn } from './databases.js'
import { TestHost } from './host.js'

/** How often a server reads what others have committed. */
const pollSeconds = 0.25
/** Longer than a server keeps what it knows of an organization that nobody uses. */
const idleSeconds = 16 * 60

const newest = (...narrow: readonly object[]): string =>
  `/messages?${new URLSearchParams({
    anchor: 'newest',
    num_before: '40',
    num_after: '0',
    narrow: JSON.stringify(narrow),
  })}`

/** Servers of one database, which differ in what they have in memory. */
export class ComparedMemory {
  /** Executes the changes. */
  readonly host: TestHost
  /** Learns of them from the log. */
  #follower!: TestHost
  /** Knows nothing before each comparison. */
  #forgetful!: TestHost

  constructor(database: DatabaseColumn) {
    this.host = new TestHost('express', database)
  }

  async start(): Promise<void> {
    await this.host.start()
    this.#follower = await this.host.another('koa')
    this.#forgetful = await this.host.another('express')
  }

  async stop(): Promise<void> {
    await this.#forgetful.stop()
    await this.#follower.stop()
    await this.host.stop()
  }

  /** Asserts that all servers answer these readers the same, and so has what they read in memory. */
  async compare(readers: readonly Client[], userIds: readonly number[], title = ''): Promise<void> {
    // Some answers depend on the time.
    for (const { clock } of [this.#follower, this.#forgetful]) {
      clock.jump((this.host.clock.now() - clock.now()) / 1000)
    }
    await poll(this.#follower)
    this.#forgetful.clock.jump(idleSeconds)
    await poll(this.#forgetful)
    this.#forgetful.clock.jump(-idleSeconds)
    const expected = await answers(this.#forgetful, readers, userIds)
    for (const [name, server] of [
      ['the server itself', this.host],
      ['another server', this.#follower],
    ] as const) {
      assert.deepEqual(await answers(server, readers, userIds), expected, `${name} ${title}`)
    }
  }
}

async function poll({ clock }: TestHost): Promise<void> {
  const isOver = clock.next('set', pollSeconds)
  clock.fire(pollSeconds)
  await isOver
}

async function answers(
  at: TestHost,
  readers: readonly Client[],
  userIds: readonly number[],
): Promise<readonly unknown[]> {
  const paths = [
    '/users/me',
    `/users?user_ids=${JSON.stringify(userIds)}&include_custom_profile_fields=true`,
    ...userIds.map((id) => `/users/${id}?include_custom_profile_fields=true`),
    newest(),
    newest({ operator: 'is', operand: 'dm' }),
    '/user_groups',
    '/realm/emoji',
    '/realm/domains',
    '/realm/profile_fields',
    '/channel_folders',
  ]
  const read: unknown[] = []
  for (const reader of readers) {
    const client = at.clientOf(reader)
    for (const path of paths) {
      const { status, body } = await client.get(path)
      read.push({ path, status, body })
    }
    const { status, text } = await client.post('/register', {})
    const body: unknown = JSON.parse(text.replaceAll(at.origin, ''), withoutOwn)
    if (status === 200) await client.delete('/events', { queue_id: JSON.parse(text).queue_id })
    read.push({ path: '/register', status, body })
  }
  return read
}

/** What two registrations, or those at two servers without a bus, do not share. */
const ownKeys = new Set([
  'queue_id',
  'last_event_id',
  'server_timestamp',
  'presences',
  'presence_last_update_id',
])

function withoutOwn(key: string, value: unknown): unknown {
  return ownKeys.has(key) ? undefined : value
}
