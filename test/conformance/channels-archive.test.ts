import assert from 'node:assert/strict'
import { it } from 'node:test'

import { archiveAware, channelEvents, hearing, kinds, makeChannel } from '../support/channels.js'
import { withoutIds } from '../support/event-feed.js'
import { everyHost } from '../support/host.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

everyHost('archive-stream', (at) => {
  it('archives the channel, and sends a deletion to clients without archived_channels', async () => {
    const { alice, bob, gus } = at.people
    const id = await makeChannel(alice, 'ending', { subscribers: [alice.id, bob.id] })
    const [aware, unaware, guest] = [
      await bob.listen(archiveAware),
      await bob.listen(channelEvents),
      await gus.listen(channelEvents),
    ]

    const answer = await alice.delete(`/streams/${id}`)

    assert.deepEqual(answer.body, bareSuccess)
    const [update, ...more] = await aware.drain()
    assert.deepEqual(more, [])
    assert.deepEqual([update?.['property'], update?.['value']], ['is_archived', true])
    const [deleted] = await unaware.drain()
    assert.equal(deleted?.['op'], 'delete')
    assert.deepEqual(deleted?.['stream_ids'], [id])
    assert.deepEqual(await guest.drain(), [])
  })

  it('keeps the subscriptions, and refuses new messages', async () => {
    const { alice } = at.people
    const id = await makeChannel(alice, 'kept', { subscribers: [alice.id] })
    await alice.say(id, 'topic', 'one')
    await alice.delete(`/streams/${id}`)

    const sent = await alice.post('/messages', {
      type: 'channel',
      to: id,
      topic: 'topic',
      content: 'two',
    })

    assertRefused(sent, "Not authorized to send to channel 'kept'")
    assert.deepEqual((await alice.get(`/streams/${id}/members`)).body.subscribers, [alice.id])
  })

  it('sends changes of an archived channel only to clients with archived_channels', async () => {
    const { alice, bob } = at.people
    const id = await makeChannel(alice, 'editable')
    await alice.delete(`/streams/${id}`)
    const [aware, unaware] = [await bob.listen(archiveAware), await bob.listen(channelEvents)]

    await alice.patch(`/streams/${id}`, { description: 'gone' })

    assert.deepEqual(kinds(await aware.drain()), ['stream/update:description'])
    assert.deepEqual(await unaware.drain(), [])
  })

  it('removes the channel from the default channels', async () => {
    const { adam, bob } = at.people
    const id = await makeChannel(adam, 'introduction', { is_default_stream: true })
    const received = await hearing({ bob }, () => adam.delete(`/streams/${id}`))

    assert.deepEqual(kinds(received.bob), ['default_streams', 'stream/delete'])
    assert.deepEqual(received.bob[0]?.['default_streams'], [at.channels.general])
  })

  it('refuses to archive a channel twice', async () => {
    assertRefused(
      await at.people.adam.delete(`/streams/${at.channels.attic}`),
      'Channel is already deactivated',
    )
  })

  it('is restricted to administrators of the organization or the channel', async () => {
    const { adam, mona, bob, gus, bot } = at.people

    for (const client of [mona, bob, bot]) {
      assertRefused(
        await client.delete(`/streams/${at.channels.design}`),
        'You do not have permission to administer this channel.',
      )
    }
    assertRefused(await gus.delete(`/streams/${at.channels.design}`), 'Invalid channel ID')
    assertRefused(await mona.delete(`/streams/${at.channels.secret}`), 'Invalid channel ID')
    assertRefused(await adam.delete(`/streams/${at.unknownId}`), 'Invalid channel ID')
    assert.equal((await adam.delete(`/streams/${at.channels.secret}`)).status, 200)
  })
})

const settings: Record<string, unknown> = {}

everyHost(
  'archive-stream',
  (at) => {
    it("resets the organization's settings that refer to the channel", async () => {
      const { adam, gus } = at.people
      const realm = { event_types: ['realm'] }
      const received = await hearing(
        { gus },
        () => adam.delete(`/streams/${at.channels.secret}`),
        realm,
      )

      assert.deepEqual(withoutIds(received.gus), [
        {
          type: 'realm',
          op: 'update_dict',
          property: 'default',
          data: { new_stream_announcements_stream_id: -1, moderation_request_channel_id: -1 },
        },
      ])
      const snapshot = (await gus.post('/register', { fetch_event_types: ['realm'] })).body
      assert.equal(snapshot.realm_new_stream_announcements_stream_id, -1)
      assert.equal(snapshot.realm_signup_announcements_stream_id, at.channels.general)
    })
  },
  {
    settings,
    more: ({ channels }) => {
      // The ids that the settings refer to are not known before.
      settings['new_stream_announcements_stream_id'] = channels.secret
      settings['moderation_request_channel_id'] = channels.secret
      settings['signup_announcements_stream_id'] = channels.general
      return {}
    },
  },
)
