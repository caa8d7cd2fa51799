import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { highlightWords } from '../../../packages/core/src/domain/texts/search-words.js'
import {
  clampRange,
  describeRange,
  newestAnchor,
  parseAnchor,
} from '../../../packages/core/src/resources/messages/narrows/narrow-range.js'
import {
  isChannelTerm,
  isDirectTerm,
  parseNarrow,
} from '../../../packages/core/src/resources/messages/narrows/narrow.js'
import { parseSearch } from '../../../packages/core/src/resources/messages/narrows/search-texts.js'

describe('a narrow', () => {
  it('accepts operators by their former names', () => {
    const names = (operators: readonly string[]) =>
      parseNarrow(operators.map((operator) => [operator, 'x'])).map(({ operator }) => operator)

    assert.deepEqual(names(['stream', 'streams', 'pm-with', 'pm_with', 'group_pm_with']), [
      'channel',
      'channels',
      'dm',
      'dm',
      'group-pm-with',
    ])
    assert.deepEqual(names(['constructor', 'topic']), ['constructor', 'topic'])
  })

  it('returns which kind of message each term matches', () => {
    const kinds = (operator: string, operand: string, negated = false) => {
      const [term] = parseNarrow([{ operator, operand, negated }])
      assert.ok(term)
      return [isChannelTerm(term), isDirectTerm(term)]
    }

    assert.deepEqual(kinds('topic', 'x'), [true, false])
    assert.deepEqual(kinds('topic', 'x', true), [false, false])
    assert.deepEqual(kinds('is', 'private'), [false, true])
    assert.deepEqual(kinds('is', 'dm', true), [true, false])
    assert.deepEqual(kinds('dm', 'x', true), [false, false])
    assert.deepEqual(kinds('is', 'unread'), [false, false])
  })
})

describe('a text search', () => {
  it('matches the stems of words, also in phrases, and phrases literally', () => {
    assert.deepEqual(parseSearch(['Hello, "Big  Worlds"!', 'the hellos "  "']), {
      words: ['hello', 'big', 'world'],
      beginning: undefined,
      phrases: ['big  worlds'],
    })
    assert.deepEqual(parseSearch(['to be or not to be']), {
      words: [],
      beginning: undefined,
      phrases: [],
    })
  })

  it('matches the beginnings of words with the last word, unless it is quoted or short', () => {
    const beginning = (text: string) => parseSearch([text]).beginning

    assert.deepEqual(parseSearch(['red appl', 'Running!']), {
      words: ['red', 'appl'],
      beginning: { stem: 'run', form: 'running' },
      phrases: [],
    })
    assert.deepEqual(parseSearch(['runs run']).words, ['run'])
    assert.equal(beginning('"red" appl')?.form, 'appl')
    assert.equal(beginning('red "appl"'), undefined)
    assert.equal(beginning('"red appl')?.form, 'appl')
    assert.equal(beginning('ap'), undefined)
    assert.equal(beginning('éco')?.form, 'eco')
    assert.equal(beginning('éc'), undefined)
    assert.equal(beginning('eco 🎉'), undefined)
    assert.equal(beginning('회의')?.form, '회의')
    assert.equal(beginning('é'), undefined)
    assert.equal(beginning('there'), undefined, 'a stop word')
    assert.equal(beginning('東京'), undefined)
  })

  it('matches letters of scripts without spaces, and pairs of adjacent ones', () => {
    assert.deepEqual(parseSearch(['東京tower ÄPFEL 京 都 3rd "."']).words, [
      '東',
      '京',
      '東京',
      'tower',
      'apfel',
      '都',
      '3rd',
    ])
  })

  it('highlights words of the same stem, and never changes tags or entities', () => {
    const mark = (text: string) => `<span class="highlight">${text}</span>`
    const highlight = (html: string, search: string) => highlightWords(html, parseSearch([search]))

    assert.equal(
      highlight('<p class="p">P p</p>', 'p'),
      `<p class="p">${mark('P')} ${mark('p')}</p>`,
    )
    assert.equal(
      highlight('Running runs, runner', '"run"'),
      `${mark('Running')} ${mark('runs')}, runner`,
    )
    assert.equal(highlight('salad', 'sal salad'), mark('salad'))
    assert.equal(highlight('saladbar', 'salad bar'), 'saladbar')
    assert.equal(highlight('Saladbar salade', 'salad'), `${mark('Saladbar')} ${mark('salade')}`)
    assert.equal(
      highlight('a runner is running', 'runn'),
      `a ${mark('runner')} is ${mark('running')}`,
    )
    assert.equal(highlight('a &amp; b', 'amp'), 'a &amp; b')
    assert.equal(highlight('x &amp;b &lt;b&gt;', 'b'), `x &amp;${mark('b')} &lt;${mark('b')}&gt;`)
    assert.equal(highlight('the end', 'the'), 'the end')
  })
})

describe('a range of messages', () => {
  it('is anchored at a named position, or at an id between the ends', () => {
    assert.equal(parseAnchor('newest'), newestAnchor)
    assert.equal(parseAnchor('oldest'), 0)
    assert.equal(parseAnchor('-3'), 0)
    assert.equal(parseAnchor('17'), 17)
    assert.equal(parseAnchor('123456789012345678901'), newestAnchor)
    assert.throws(() => parseAnchor('1e3'), { message: 'Invalid anchor' })
  })

  it('keeps at least half of the messages before the anchor if both sides are too long', () => {
    assert.deepEqual(clampRange(10, 20), { before: 10, after: 20 })
    assert.deepEqual(clampRange(9000, 9000), { before: 2500, after: 2500 })
    assert.deepEqual(clampRange(1000, 9000), { before: 1000, after: 4000 })
    assert.deepEqual(clampRange(9000, 1000), { before: 4000, after: 1000 })
    assert.deepEqual(clampRange(9000, 0), { before: 5000, after: 0 })
  })

  it('has reached an end if fewer messages were found than requested', () => {
    const range = { anchor: 5, includesAnchor: true, before: 2, after: 2 }
    const found = (ids: readonly number[]) => Object.values(describeRange(ids, range))

    assert.deepEqual(found([3, 4, 5, 6, 7]), [true, false, false])
    assert.deepEqual(found([4, 6, 7]), [false, true, false])
    assert.deepEqual(found([3, 4, 5, 7]), [true, false, true])
    assert.deepEqual(Object.values(describeRange([], { ...range, before: 0, after: 0 })), [
      false,
      false,
      false,
    ])
  })
})
