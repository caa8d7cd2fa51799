import assert from 'node:assert/strict'
import { before } from 'node:test'

import type { everyHost, HostCase } from './host.js'

/** With the eight users in `general`, more than the fifteen whom all users can mention at once. */
export const botCount = 9
export const botIds = (base: number): number[] =>
  Array.from({ length: botCount }, (_, index) => base + 70 + index)

/**
 * Bots that have all posted in the topic `busy`, where six users have reacted to a message: the
 * topic has fifteen participants.
 */
export const withCrowd = {
  more: ({ people, channels, base }: Parameters<NonNullable<CrowdOptions>>[0]) => ({
    bots: [...botIds(base), people.bot].map((id) => ({
      id,
      email: `bot${id}@bots.example`,
      full_name: `Bot ${id}`,
      owner_id: people.alice,
    })),
    messages: botIds(base).map((id, index) => ({
      id: base + 10 + index,
      sender_id: id,
      channel_id: channels.general,
      topic: 'busy',
      content: 'beep',
    })),
    reactions: [people.olga, people.adam, people.mona, people.bob, people.carol, people.gus].map(
      (user_id) => ({ message_id: base + 10, user_id, emoji_name: 'tada' }),
    ),
  }),
}
type CrowdOptions = NonNullable<Parameters<typeof everyHost>[2]>['more']

/** Subscribes the bots to `general`. */
export function subscribeBots(at: HostCase, count = botCount): void {
  before(async () => {
    const { adam, olga } = at.people
    const answer = await adam.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'general' }],
      principals: botIds(olga.id).slice(0, count),
    })
    assert.equal(answer.status, 200, answer.text)
  })
}
