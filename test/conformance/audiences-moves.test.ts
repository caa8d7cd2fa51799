import assert from 'node:assert/strict'
import { before, it } from 'node:test'

import { each, receivedEvents, type EventsByUser } from '../support/audiences.js'
import { makeChannel } from '../support/channels.js'
import type { Client } from '../support/client.js'
import { everyHost, type HostCase } from '../support/host.js'

const kinds = ['public', 'shared', 'hidden'] as const
type Kind = (typeof kinds)[number]

const privacy = {
  public: {},
  shared: { invite_only: true, history_public_to_subscribers: true },
  hidden: { invite_only: true, history_public_to_subscribers: false },
}

/** The channels that the guest is subscribed to. */
type GuestIn = 'source' | 'target' | 'both'

/**
 * Two channels of each kind. Adam and Bob are subscribed to both, Alice only to the source, and
 * Carol only to the target. After the messages were sent, the bot has subscribed to the source,
 * and the moderator has unsubscribed from it.
 */
class Channels {
  readonly #ids = new Map<string, number>()
  readonly #messages = new Map<string, number>()

  async make(at: HostCase, guestIn: GuestIn, sources: readonly Kind[]): Promise<void> {
    const { adam, mona, alice, bob, carol, gus, bot } = at.people
    const withGuest = (place: GuestIn, people: readonly Client[]) =>
      [...people, ...(guestIn === place || guestIn === 'both' ? [gus] : [])].map(({ id }) => id)
    for (const kind of kinds) {
      const subscribers = withGuest('target', [adam, bob, carol])
      const id = await makeChannel(adam, `to ${kind}`, { subscribers, ...privacy[kind] })
      this.#ids.set(kind, id)
    }
    for (const kind of sources) {
      const name = `from ${kind}`
      const subscribers = withGuest('source', [adam, mona, alice, bob])
      const id = await makeChannel(adam, name, { subscribers, ...privacy[kind] })
      for (const target of kinds) {
        const topic = `${kind} ${target}`
        this.#messages.set(topic, await adam.say(id, topic, 'Here'))
      }
      const subscriptions = [{ name }]
      const left = await mona.delete('/users/me/subscriptions', { subscriptions: [name] })
      const came = { subscriptions, principals: [bot.id] }
      const joined = await adam.post('/users/me/subscriptions', came)
      assert.deepEqual([left.status, joined.status], [200, 200])
    }
  }

  /** Moves a message without other changes, and returns the events that each user receives. */
  eventsOfMove(at: HostCase, source: Kind, target: Kind): Promise<EventsByUser> {
    return receivedEvents(at, ({ adam }) =>
      adam.patch(`/messages/${this.#messages.get(`${source} ${target}`)}`, {
        stream_id: this.#ids.get(target),
        send_notification_to_new_thread: false,
      }),
    )
  }
}

const moved = 'update_message'
const lost = 'delete_message'

/** The guest's events, by the channels that the guest is subscribed to. */
const guests: Readonly<Record<GuestIn, EventsByUser>> = {
  source: { gus: [lost] },
  // A user without access to the source channel gets no event.
  target: {},
  both: { gus: [moved] },
}

function expectedEvents(source: Kind, target: Kind, guestIn: GuestIn): EventsByUser {
  const event = target === 'public' ? moved : lost
  return {
    ...each(['adam', 'bob', 'carol'], moved),
    ...each(['alice'], event),
    // The bot, subscribed later, has access unless the history is protected. The moderator, no
    // longer subscribed, has access only in a public channel.
    ...(source === 'hidden' ? {} : each(['bot'], event)),
    ...(source === 'public' ? each(['mona'], event) : {}),
    ...guests[guestIn],
  }
}

const organizations: readonly (readonly [GuestIn, readonly Kind[]])[] = [
  ['source', kinds],
  ['target', ['shared']],
  ['both', ['hidden']],
]

for (const [guestIn, sources] of organizations) {
  everyHost(
    'update-message',
    (at) => {
      const channels = new Channels()
      before(() => channels.make(at, guestIn, sources))

      for (const source of sources) {
        for (const target of kinds) {
          const where = guestIn === 'both' ? 'both' : `the ${guestIn}`
          it(`sends a move from ${source} to ${target}, or a deletion to users who lose access, with a guest in ${where}`, async () => {
            const events = await channels.eventsOfMove(at, source, target)

            assert.deepEqual(events, expectedEvents(source, target, guestIn))
          })
        }
      }
    },
    {
      userSettings: {
        adam: {
          automatically_follow_topics_policy: 4,
          automatically_unmute_topics_in_muted_streams_policy: 4,
        },
      },
    },
  )
}
