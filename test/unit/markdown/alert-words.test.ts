import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AlertWordIndex, renderMarkdown } from '../../../packages/core/src/markdown/index.js'
import { exampleContext } from './example-context.js'

const alertWords = new AlertWordIndex([
  { userId: 31, word: 'Leek' },
  { userId: 32, word: 'leek soup' },
  { userId: 33, word: 'c++' },
])

function alerted(source: string): readonly number[] {
  return renderMarkdown(source, exampleContext({ alertWords })).alertedUserIds
}

describe('alert words', () => {
  it('match between spaces or punctuation, in any case', () => {
    assert.deepEqual(alerted('(LEEK) soup'), [31])
    assert.deepEqual(alerted('a LEEK, please'), [31])
    assert.deepEqual(alerted('leek soup!'), [31, 32])
    assert.deepEqual(alerted('leeks'), [])
    assert.deepEqual(alerted('in C++.'), [33])
  })

  it('match in quotes, spoilers and inline code, but not in code blocks or math', () => {
    assert.deepEqual(alerted('> `leek`'), [31])
    assert.deepEqual(alerted('```spoiler leek\nx\n```'), [31])
    assert.deepEqual(alerted('```\nleek\n```\n\n```math\nleek\n```'), [])
  })

  it('can be removed and added again, and leave nothing else changed', () => {
    const index = new AlertWordIndex([
      { userId: 1, word: 'leek' },
      { userId: 2, word: 'Leek soup' },
      { userId: 3, word: 'leek' },
    ])
    const usersOf = (text: string): number[] => {
      const userIds = new Set<number>()
      index.collectUsers(text, userIds)
      return [...userIds].toSorted()
    }

    index.remove(1, 'LEEK')
    index.remove(1, 'unknown')
    assert.deepEqual(usersOf('leek soup'), [2, 3])
    index.remove(2, 'leek soup')
    index.remove(3, 'leek')
    assert.deepEqual(usersOf('leek soup'), [])
    index.add(1, 'leek soup')
    assert.deepEqual(usersOf('leek soup'), [1])
  })
})
