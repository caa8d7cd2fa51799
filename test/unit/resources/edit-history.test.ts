import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import {
  addToEditHistory,
  maxEditHistoryBytes,
} from '../../../packages/core/src/resources/messages/editing/edit-history.js'
import { htmlDiff } from '../../../packages/core/src/resources/messages/editing/html-diff.js'

interface Change {
  readonly version: number
  readonly prev_content: string
}

/** The history of a message after that many edits of that many characters each. */
function historyOf(edits: number, characters: string): readonly Change[] {
  let json: string | null = null
  for (let version = 1; version <= edits; version += 1) {
    json = addToEditHistory(json, { version, prev_content: characters })
  }
  return JSON.parse(json ?? '[]') as Change[]
}

describe('the history of a message', () => {
  it('contains every change, newest first', () => {
    assert.deepEqual(
      historyOf(3, 'x').map(({ version }) => version),
      [3, 2, 1],
    )
  })

  it('keeps the oldest change and the newest ones within its limit', () => {
    for (const characters of ['x'.repeat(10_000), '\u{1f600}'.repeat(10_000)]) {
      const changes = historyOf(60, characters)

      const versions = changes.map(({ version }) => version)
      const middle = versions.slice(0, -1)
      assert.ok(Buffer.byteLength(JSON.stringify(changes)) <= maxEditHistoryBytes)
      assert.ok(versions.length >= 5 && versions.length < 60, `${versions.length} versions`)
      assert.equal(versions.at(-1), 1)
      assert.deepEqual(
        middle,
        middle.map((_, index) => 60 - index),
      )
    }
  })

  it('always contains the current change', () => {
    const huge = JSON.stringify([{ version: 1, prev_content: 'x'.repeat(maxEditHistoryBytes) }])

    const changes = JSON.parse(addToEditHistory(huge, { version: 2 })) as Change[]

    assert.deepEqual(
      changes.map(({ version }) => version),
      [2, 1],
    )
  })
})

describe('the difference of two versions', () => {
  const mark = (kind: 'inserted' | 'deleted', word: string) =>
    `<span class="highlight_text_${kind}">${word}</span>`

  it('marks words, not tags', () => {
    assert.equal(
      htmlDiff('<p>one <em>two</em> three</p>', '<p>one two four</p>'),
      `<div><p>one two ${mark('deleted', 'three')}${mark('inserted', 'four')}</p></div>`,
    )
  })

  it('marks everything between the first and the last difference if there are many', () => {
    const words = (from: number) => Array.from({ length: 300 }, (_, index) => `w${from + index}`)
    const before = `<p>start ${words(0).join('-x ')} end</p>`
    const after = `<p>start ${words(1000).join('-x ')} end</p>`

    const html = htmlDiff(before, after)

    assert.ok(html.startsWith(`<div><p>start ${mark('deleted', 'w0-x')}`), html.slice(0, 200))
    assert.ok(html.endsWith(`${mark('inserted', 'w1299')} end</p></div>`), html.slice(-200))
    assert.ok(html.lastIndexOf('_deleted') < html.indexOf('_inserted'))
  })

  it('skips comparisons that would take long', () => {
    // The same words in another order, of which only a comparison finds the common parts.
    const words = Array.from({ length: 1500 }, (_, index) => `word${index % 40}`)
    const shuffled = words.map((_, index) => words[(index * 701) % words.length])

    const html = htmlDiff(words.join(' '), shuffled.join(' '))

    assert.ok(html.lastIndexOf('_deleted') < html.indexOf('_inserted'))
  })
})
