import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { EventFeed, FedEvent } from '../support/event-feed.js'
import { makeGroup } from '../support/groups.js'
import { everyHost } from '../support/host.js'

const rounds = 8

/** Registers repeatedly while `write` is called repeatedly. */
async function registerDuring<Result>(
  register: () => Promise<EventFeed>,
  write: (round: number) => Promise<Result>,
): Promise<{ feeds: EventFeed[]; written: Result[] }> {
  const writing = (async () => {
    const written: Result[] = []
    for (let round = 0; round < rounds; round += 1) {
      written.push(...(await Promise.all([write(2 * round), write(2 * round + 1)])))
    }
    return written
  })()
  const feeds: EventFeed[] = []
  for (let round = 0; round < rounds; round += 1) feeds.push(await register())
  return { feeds, written: await writing }
}

/** Asserts that each write is either in the snapshot or in the events, never in both. */
function assertExact(
  written: readonly number[],
  inSnapshot: readonly number[],
  inEvents: readonly number[],
): void {
  const seen = [...inSnapshot, ...inEvents].filter((id) => written.includes(id))
  assert.deepEqual(
    seen.sort((a, b) => a - b),
    [...written].sort((a, b) => a - b),
  )
}

everyHost('register-queue', (at) => {
  it('returns every message either in the snapshot or in the queue', async () => {
    const { alice, bob, carol } = at.people
    const topic = 'exactness'

    const { feeds, written } = await registerDuring(
      () =>
        bob.listen({
          event_types: ['message', 'update_message_flags'],
          fetch_event_types: ['message', 'update_message_flags'],
        }),
      (round) => (round % 2 === 0 ? alice : carol).say(at.channels.general, topic, `${round}`),
    )

    for (const feed of feeds) {
      const unread = feed.snapshot['unread_msgs'].streams as {
        topic: string
        unread_message_ids: number[]
      }[]
      const inSnapshot = unread.find((entry) => entry.topic === topic)?.unread_message_ids ?? []
      const events = await feed.drain()
      const inEvents = events
        .filter((event) => event.type === 'message')
        .map((event: FedEvent) => event['message'].id as number)
      assertExact(written, inSnapshot, inEvents)
      const newest = Math.max(-1, ...inSnapshot)
      assert.equal(feed.snapshot['max_message_id'] >= newest, true)
    }
  })

  it('returns every group either in the snapshot or in the queue', async () => {
    const { alice, bob } = at.people

    const { feeds, written } = await registerDuring(
      () => bob.listen({ event_types: ['user_group'], fetch_event_types: ['realm_user_groups'] }),
      (round) => makeGroup(alice, `exact ${round}`),
    )

    for (const feed of feeds) {
      const groups = feed.snapshot['realm_user_groups'] as { id: number }[]
      const events = (await feed.drain()).filter((event) => event['op'] === 'add')
      assertExact(
        written,
        groups.map(({ id }) => id),
        events.map((event) => event['group'].id as number),
      )
    }
  })

  it('returns settings as they were before the first event of the queue', async () => {
    const { adam, alice, bob } = at.people
    const [own, newcomers] = ['web_font_size_px', 'web_line_height_percent'] as const

    const { feeds } = await registerDuring(
      () =>
        bob.listen({
          event_types: ['user_settings', 'realm_user_settings_defaults', 'alert_words'],
          fetch_event_types: ['user_settings', 'realm_user_settings_defaults', 'alert_words'],
        }),
      async (round) => {
        if (round % 2 === 0) await bob.patch('/settings', { [own]: 20 + round })
        else await adam.patch('/realm/user_settings_defaults', { [newcomers]: 200 + round })
        await bob.post('/users/me/alert_words', { alert_words: [`word ${100 + round}`] })
        return alice.id
      },
    )

    for (const feed of feeds) {
      const events = await feed.drain()
      const valuesOf = (property: string) =>
        events.filter((event) => event['property'] === property).map((event) => event['value'])
      const shown = feed.snapshot['user_settings'][own] as number
      const shownToNewcomers = feed.snapshot['realm_user_settings_defaults'][newcomers] as number
      // Each writer writes 20, 22, … or 201, 203, …: a lost or repeated event breaks the sequence.
      const expected = (first: number, current: number) =>
        Array.from({ length: rounds }, (_, round) => first + 2 * round).filter(
          (value) => value > current || current < first || current > first + 2 * rounds,
        )
      assert.deepEqual(valuesOf(own), expected(20, shown === 16 ? 0 : shown))
      assert.deepEqual(
        valuesOf(newcomers),
        expected(201, shownToNewcomers === 140 ? 0 : shownToNewcomers),
      )
      const words = events.filter((event) => event.type === 'alert_words')
      const known = (feed.snapshot['alert_words'] as string[]).length
      assert.deepEqual(
        words.map((event) => (event['alert_words'] as string[]).length),
        Array.from({ length: 2 * rounds - known }, (_, index) => known + index + 1),
      )
    }
  })
})
