import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Client } from '../support/client.js'
import { everyHost } from '../support/host.js'
import { assertRefused } from '../support/refusal.js'
import { unrenderableIn } from '../support/unrenderable.js'

const image = 'https://soil.example/leaf.png'

async function contentOf(author: Client, channel: number, content: string): Promise<string> {
  const id = await author.say(channel, 'settings', content)
  return (await author.get(`/messages/${id}`)).body.message.content
}

everyHost(
  'send-message',
  (at) => {
    it('converts emoticons to emoji if the sender has enabled it, for all readers', async () => {
      const { alice, bob } = at.people

      assert.match(await contentOf(alice, at.channels.general, ':)'), /class="emoji emoji-1f642"/)
      assert.equal(await contentOf(bob, at.channels.general, ':)'), '<p>:)</p>')
    })

    it("applies changes of the organization's settings", async () => {
      const { alice, olga } = at.people
      const code = '```\nx = 1\n```'
      const shown = (content: string) => contentOf(alice, at.channels.general, content)
      assert.doesNotMatch(await shown(code), /data-code-language/)
      assert.match(await shown(image), /message_inline_image/)

      const changed = await olga.patch('/realm', {
        default_code_block_language: 'python',
        inline_image_preview: false,
      })

      assert.equal(changed.status, 200, changed.text)
      assert.match(await shown(code), /data-code-language="Python"/)
      assert.equal(await shown(image), `<p><a href="${image}">${image}</a></p>`)
    })
  },
  { userSettings: { alice: { translate_emoticons: true } } },
)

const refusal = 'Unable to render message'

everyHost('send-message', (at) => {
  it('stores no message whose HTML would be too long', async () => {
    const { adam, alice, bob } = at.people
    const content = await unrenderableIn(adam)
    const feed = await bob.listen({ event_types: ['message'] })

    const answer = await alice.post('/messages', {
      type: 'channel',
      to: at.channels.general,
      topic: 'links',
      content,
    })

    assertRefused(answer, refusal)
    assert.deepEqual(await feed.drain(), [])
  })
})

everyHost('update-message', (at) => {
  it('keeps the content if the HTML of the new content would be too long', async () => {
    const { adam, alice, bob } = at.people
    const content = await unrenderableIn(adam)
    const id = await alice.say(at.channels.general, 'links', 'as it was')
    const feed = await bob.listen({ event_types: ['update_message'] })

    assertRefused(await alice.patch(`/messages/${id}`, { content }), refusal)

    assert.deepEqual(await feed.drain(), [])
    const { message } = (await alice.get(`/messages/${id}`, { apply_markdown: false })).body
    assert.equal(message.content, 'as it was')
    assert.equal(message.edit_history, undefined)
  })
})

everyHost('render-message', (at) => {
  it('refuses content whose HTML would be too long', async () => {
    const { adam, alice } = at.people
    const content = await unrenderableIn(adam)

    assertRefused(await alice.post('/messages/render', { content }), refusal)
  })
})
