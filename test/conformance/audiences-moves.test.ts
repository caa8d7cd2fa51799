import assert from 'node:assert/strict'
import { before, it } from 'node:test'

import { each, heardOf, type Heard } from '../support/audiences.js'
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

/** In which of the two channels the guest is. */
type GuestIn = 'source' | 'target' | 'both'

/**
 * Two channels of each kind. Adam and Bob are in both, Alice is where messages come from, Carol
 * where they go. The bot has come, and the moderator has left, after they were written.
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

  /** Moves a message, and nothing else. */
  heardOfMove(at: HostCase, source: Kind, target: Kind): Promise<Heard> {
    return heardOf(at, ({ adam }) =>
      adam.patch(`/messages/${this.#messages.get(`${source} ${target}`)}`, {
        stream_id: this.#ids.get(target),
        send_notification_to_new_thread: false,
      }),
    )
  }
}

const moved = 'update_message'
const lost = 'delete_message'

/** What the guest hears: where a message comes from, where it goes, or in both. */
const guests: Readonly<Record<GuestIn, Heard>> = {
  source: { gus: [lost] },
  // To whoever could not see it where it was, the message is no news.
  target: {},
  both: { gus: [moved] },
}

function meant(source: Kind, target: Kind, guestIn: GuestIn): Heard {
  const fate = target === 'public' ? moved : lost
  return {
    ...each(['adam', 'bob', 'carol'], moved),
    ...each(['alice'], fate),
    // Who came later has known of it where the history is shared; who has left, in public alone.
    ...(source === 'hidden' ? {} : each(['bot'], fate)),
    ...(source === 'public' ? each(['mona'], fate) : {}),
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
          it(`tells of a move from ${source} to ${target}, or of a loss, with a guest in ${where}`, async () => {
            const heard = await channels.heardOfMove(at, source, target)

            assert.deepEqual(heard, meant(source, target, guestIn))
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
