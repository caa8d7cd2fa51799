import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Answer } from '../support/client.js'
import { everyHost } from '../support/host.js'

const notice = '\n[message truncated]'
/** More UTF-16 units than characters. */
const full = '🦊'.repeat(10_000)
const long = `${full}a`
const cut = '🦊'.repeat(10_000 - notice.length) + notice
const tooLong = 'a'.repeat(100_001)

// docs/operating.md describes these limits.
everyHost('send-message', (at) => {
  it('cuts long texts and topics and succeeds, and refuses texts that are much longer', async () => {
    const { alice } = at.people
    const send = (content: string, topic = 'long'): Promise<Answer> =>
      alice.post('/messages', { type: 'channel', to: at.channels.general, topic, content })
    const stored = async ({ status, body, text }: Answer): Promise<string[]> => {
      assert.equal(status, 200, text)
      const { message } = (await alice.get(`/messages/${body.id}`, { apply_markdown: false })).body
      return [message.content, message.subject]
    }

    const short = await send('short')
    const edited = await alice.patch(`/messages/${short.body.id}`, { content: long })

    assert.deepEqual(await stored(await send(full)), [full, 'long'])
    assert.deepEqual(await stored(await send(long)), [cut, 'long'])
    assert.deepEqual(await stored(await send('a', 't'.repeat(61))), ['a', `${'t'.repeat(57)}...`])
    assert.equal(edited.status, 200)
    assert.equal((await stored(short))[0], cut)
    assert.equal((await send(tooLong)).status, 400)
    assert.equal(
      (await alice.patch(`/messages/${short.body.id}`, { content: tooLong })).status,
      400,
    )
  })
})

everyHost('create-scheduled-message', (at) => {
  it('cuts long texts, as drafts do, and snippets refuse them', async () => {
    const { alice } = at.people
    const scheduled = await alice.post('/scheduled_messages', {
      type: 'direct',
      to: [alice.id],
      content: long,
      scheduled_delivery_timestamp: at.clock.seconds + 1000,
    })
    assert.equal(scheduled.status, 200, scheduled.text)
    const drafts = await alice.post('/drafts', {
      drafts: [{ type: '', to: [], topic: '', content: long }],
    })
    assert.equal(drafts.status, 200, drafts.text)
    const snippet = await alice.post('/saved_snippets', { title: 'a', content: long })

    const listed = await alice.get('/scheduled_messages')
    const kept = await alice.get('/drafts')
    assert.equal(listed.body.scheduled_messages[0]!.content, cut)
    assert.equal(kept.body.drafts[0]!.content, cut)
    assert.equal(snippet.body.msg, 'content is too long (limit: 10000 characters)')
  })
})
