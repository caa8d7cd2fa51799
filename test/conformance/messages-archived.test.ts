import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Answer, Client } from '../support/client.js'
import { makeChannel } from '../support/channels.js'
import { everyHost, type HostCase } from '../support/host.js'
import { assertRefused } from '../support/refusal.js'

/** Sends a message from Alice, with a reaction of hers, to a channel that is then archived. */
async function inArchive(at: HostCase, name: string): Promise<{ id: number; channelId: number }> {
  const { alice, olga } = at.people
  const channelId = await makeChannel(olga, name, { subscribers: [alice.id, olga.id] })
  const id = await alice.say(channelId, 'then', 'Text')
  await alice.post(`/messages/${id}/reactions`, { emoji_name: 'octopus' })
  const archived = await olga.delete(`/streams/${channelId}`)
  assert.equal(archived.status, 200, archived.text)
  return { id, channelId }
}

const changes: Readonly<Record<string, (by: Client, id: number) => Promise<Answer>>> = {
  'update-message': (by, id) => by.patch(`/messages/${id}`, { content: 'Other text' }),
  'delete-message': (by, id) => by.delete(`/messages/${id}`),
  'add-reaction': (by, id) => by.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }),
  'remove-reaction': (by, id) => by.delete(`/messages/${id}/reactions`, { emoji_name: 'octopus' }),
  'add-submessage': (by, id) =>
    by.post('/submessage', { message_id: id, msg_type: 'widget', content: '{}' }),
  'set-typing-status-for-message-edit': (by, id) =>
    by.post(`/messages/${id}/typing`, { op: 'start' }),
}

for (const [operationId, change] of Object.entries(changes)) {
  everyHost(operationId, (at) => {
    it('refuses changes to messages of archived channels, even by senders and owners', async () => {
      const { alice, olga } = at.people
      const { id } = await inArchive(at, 'archive')
      const feed = await alice.listen()

      for (const by of [alice, olga]) {
        assertRefused(await change(by, id), 'Invalid message(s)')
      }

      assert.deepEqual(await feed.drain(), [])
      const { body } = await alice.get(`/messages/${id}`)
      assert.equal(body.raw_content, 'Text')
      assert.deepEqual(
        body.message.reactions.map((one) => one.emoji_name),
        ['octopus'],
      )
    })
  })
}

everyHost('update-message', (at) => {
  it('refuses moves to an archived channel', async () => {
    const { alice } = at.people
    const { channelId } = await inArchive(at, 'closed archive')
    const id = await alice.say(at.channels.general, 'now', 'Text')

    const answer = await alice.patch(`/messages/${id}`, { stream_id: channelId })

    assertRefused(answer, 'Invalid channel ID')
  })
})

everyHost('update-message-flags', (at) => {
  it('still stars messages of an archived channel and marks them as read', async () => {
    const { olga } = at.people
    const { id } = await inArchive(at, 'starry archive')

    for (const flag of ['read', 'starred']) {
      const { body } = await olga.post('/messages/flags', { messages: [id], op: 'add', flag })
      assert.deepEqual(body.messages, [id], flag)
    }

    const { body } = await olga.get(`/messages/${id}`)
    assert.deepEqual(body.message.flags, ['read', 'starred'])
  })
})
