import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { EditHistoryItem } from '../../../packages/core/src/domain/messages/edit-history.js'
import {
  addToEditHistory,
  maxEditHistoryBytes,
} from '../../../packages/core/src/resources/messages/editing/edit-history.js'
import { htmlDiff } from '../../../packages/core/src/resources/messages/editing/html-diff.js'
import { parseJson, toJson, type Json } from '../../../packages/core/src/storage/index.js'

/** The `number`th change of a message. */
function change(number: number, prev_content = ''): EditHistoryItem {
  return { user_id: 1, timestamp: number, prev_content }
}

/** The numbers of the changes, in the order of the history. */
function numbersOf(changes: readonly EditHistoryItem[]): number[] {
  return changes.map(({ timestamp }) => timestamp)
}

/** The history of a message after that many edits of that many characters each. */
function historyOf(edits: number, characters: string): readonly EditHistoryItem[] {
  let json: Json<readonly EditHistoryItem[]> = toJson([])
  for (let number = 1; number <= edits; number += 1) {
    json = addToEditHistory(number === 1 ? null : json, change(number, characters))
  }
  return parseJson(json)
}

describe('the history of a message', () => {
  it('contains every change, newest first', () => {
    assert.deepEqual(numbersOf(historyOf(3, 'x')), [3, 2, 1])
  })

  it('keeps the oldest change and the newest ones within its limit', () => {
    for (const characters of ['x'.repeat(10_000), '\u{1f600}'.repeat(10_000)]) {
      const changes = historyOf(60, characters)

      const numbers = numbersOf(changes)
      const middle = numbers.slice(0, -1)
      assert.ok(Buffer.byteLength(JSON.stringify(changes)) <= maxEditHistoryBytes)
      assert.ok(numbers.length >= 5 && numbers.length < 60, `${numbers.length} changes`)
      assert.equal(numbers.at(-1), 1)
      assert.deepEqual(
        middle,
        middle.map((_, index) => 60 - index),
      )
    }
  })

  it('always contains the current change', () => {
    const huge = toJson([change(1, 'x'.repeat(maxEditHistoryBytes))])

    const changes = parseJson(addToEditHistory(huge, change(2)))

    assert.deepEqual(numbersOf(changes), [2, 1])
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
