import assert from 'node:assert/strict'
import { before, it } from 'node:test'

import { everyHost } from '../support/host.js'

const mebibyte = 1024 * 1024

everyHost('get-messages', (at) => {
  const formulas = '$$x$$ '.repeat(500)
  const ids: number[] = []
  before(async () => {
    ids.length = 0
    const { alice } = at.people
    const first = await alice.say(at.channels.design, 'large', formulas)
    ids.push(first)
    for (let count = 0; count < 3; count += 1) {
      await alice.patch(`/messages/${first}`, { content: `${count} ${formulas}` })
    }
  })

  it('limits the size of the edit history, and keeps the original content', async () => {
    const { body, text } = await at.people.bob.get(`/messages/${ids[0]}`)

    const history = body.message.edit_history as { prev_content: string }[]
    assert.ok(text.length < mebibyte, `${text.length} characters`)
    assert.equal(history.at(-1)?.prev_content, formulas.trim())
    assert.equal(history[0]?.prev_content, `1 ${formulas}`.trim())
  })

  it('returns fewer messages than requested if they are large, and does not claim to reach the end', async () => {
    const { alice, bob } = at.people
    const topic = [
      { operator: 'channel', operand: 'design' },
      { operator: 'topic', operand: 'many' },
    ]
    const content = formulas.slice(0, 3000)
    const sent: number[] = []
    for (let count = 0; count < 90; count += 1) {
      sent.push(await alice.say(at.channels.design, 'many', content))
    }
    const page = async (params: object) => {
      const { body, text, status } = await bob.get('/messages', { narrow: topic, ...params })
      assert.equal(status, 200, text)
      const found = (body.messages as { id: number }[]).map(({ id }) => id)
      return { found, body, length: text.length }
    }

    const newest = await page({ anchor: 'newest', num_before: 90 })
    const oldest = await page({ anchor: 'oldest', num_after: 90 })
    const around = await page({ anchor: sent[45], num_before: 45, num_after: 45 })

    for (const { found, length } of [newest, oldest, around]) {
      assert.ok(found.length > 10 && found.length < 90, `${found.length} messages`)
      assert.ok(length < 20 * mebibyte, `${length} characters`)
    }
    assert.deepEqual(newest.found, sent.slice(-newest.found.length))
    assert.deepEqual([newest.body.found_oldest, newest.body.found_newest], [false, true])
    assert.deepEqual(oldest.found, sent.slice(0, oldest.found.length))
    assert.deepEqual([oldest.body.found_oldest, oldest.body.found_newest], [true, false])
    assert.ok(around.found.includes(sent[45] as number))
    assert.deepEqual([around.body.found_oldest, around.body.found_newest], [false, false])
  })
})

everyHost('get-message-history', (at) => {
  it('limits the comparison of long versions', async () => {
    const { alice } = at.people
    const words = (seed: number) =>
      Array.from({ length: 1600 }, (_, index) =>
        ((index * 7919 + seed) % 46_656).toString(36),
      ).join(' ')
    const id = await alice.say(at.channels.design, 'diff', words(0))
    for (let edit = 1; edit <= 12; edit += 1) {
      await alice.patch(`/messages/${id}`, { content: words(edit * 101) })
    }

    const { body } = await alice.get(`/messages/${id}/history`)

    const versions = body.message_history as { content_html_diff?: string }[]
    const diffs = versions.map(({ content_html_diff }) => content_html_diff)
    const compared = diffs.flatMap((diff) => diff ?? [])
    assert.ok(compared.length >= 2 && compared.length < 8, `${compared.length} comparisons`)
    // The newest ones.
    assert.deepEqual(diffs.slice(-compared.length), compared)
    for (const diff of compared) {
      assert.ok(diff.lastIndexOf('_deleted') < diff.indexOf('_inserted'))
    }
  })
})
