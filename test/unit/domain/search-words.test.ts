import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { foldAccents } from '../../../packages/core/src/domain/texts/accent-folding.js'
import {
  hasWanted,
  highlightWords,
  indexedWords,
  indexHtml,
} from '../../../packages/core/src/domain/texts/search-words.js'
import { parseSearch } from '../../../packages/core/src/resources/messages/narrows/search-texts.js'

const mark = (text: string) => `<span class="highlight">${text}</span>`

describe('words of searches', () => {
  const equal: readonly (readonly string[])[] = [
    ['cafe', 'café', 'CAFÉ', 'cafe\u0301', 'Cafè'],
    ['muller', 'Müller', 'MÜLLER'],
    ['strasse', 'Straße', 'STRASSE', 'STRAẞE'],
    ['istanbul', 'İstanbul', 'ISTANBUL', 'ıstanbul'],
    ['tieng', 'tiếng', 'TIẾNG'],
    ['duong', 'đường', 'Đường'],
    ['an', 'ăn', 'ân'],
    ['smorrebrod', 'smørrebrød'],
    ['lodz', 'Łódź'],
    ['oeuvre', 'œuvre'],
    ['encyclopaedia', 'encyclopædia'],
    ['office', 'oﬃce'],
    ['αθηνα', 'Αθήνα', 'ΑΘΗΝΑ'],
    ['οδοσ', 'οδος', 'ΟΔΟΣ', 'οδός'],
    ['елка', 'ёлка', 'ЁЛКА'],
    ['замок', 'за\u0301мок', 'замо\u0301к'],
    ['한국', '한국'.normalize('NFD')],
    ['が', 'か\u3099'],
  ]
  for (const words of equal) {
    it(`are equal: ${words.join(' ')}`, () => {
      assert.deepEqual(
        words.map(foldAccents),
        words.map(() => words[0]),
      )
    })
  }

  for (const [first, second] of [
    ['й', 'и'],
    ['ї', 'і'],
    ['ў', 'у'],
    ['ѓ', 'г'],
    ['が', 'か'],
    ['パ', 'ハ'],
    ['한', '하'],
    ['กา', 'ก'],
    ['कि', 'क'],
    ['þ', 'p'],
  ] as const) {
    it(`are different: ${first} ${second}`, () => {
      assert.notEqual(foldAccents(first), foldAccents(second))
    })
  }

  it('are no stop words if their accents make them words of another language', () => {
    assert.ok(hasWanted(indexedWords('un thé'), parseSearch(['thé'])))
    assert.ok(!hasWanted(indexedWords('the cup'), parseSearch(['thé'])))
    assert.deepEqual(parseSearch(['the']).words, [])
  })

  it('are highlighted as they are written', () => {
    const highlight = (html: string, search: string) => highlightWords(html, parseSearch([search]))

    assert.equal(
      highlight('<p>Le café, cafés</p>', 'cafe '),
      `<p>Le ${mark('café')}, ${mark('cafés')}</p>`,
    )
    assert.equal(highlight('cafe\u0301 cafe', 'café'), `${mark('cafe\u0301')} ${mark('cafe')}`)
    assert.equal(highlight('Hauptstraße', '"hauptstrasse"'), mark('Hauptstraße'))
    assert.equal(highlight('мой мои', 'мой '), `${mark('мой')} мои`)
  })
})

describe('emoji in searches', () => {
  const wordsIn = (html: string): ReadonlySet<string> => {
    const steps = indexHtml(html)
    let step = steps.next()
    while (step.done !== true) step = steps.next()
    return step.value
  }
  const finds = (html: string, search: string) => hasWanted(wordsIn(html), parseSearch([search]))
  const tada = '<p><span aria-label="tada" class="emoji emoji-1f389">:tada:</span></p>'
  const alias = tada.replaceAll('tada', 'party_popper')

  it('are found as characters and by each of their names', () => {
    for (const html of [tada, alias, '<p>🎉</p>', '<code>:tada:</code>']) {
      for (const search of ['🎉', ':tada:', ':party_popper:', '"🎉"']) {
        assert.ok(finds(html, search), `${search} in ${html}`)
      }
      assert.ok(!finds(html, '🐙'))
      assert.ok(!finds(html, '🎉🐙'))
    }
    assert.ok(finds(tada, 'tada') && !finds(alias, 'tada'))
  })

  it('are the same with other presentations and skin tones', () => {
    assert.ok(finds('👋🏽', '👋') && finds('👋', ':wave:') && finds(':wave:', '👋🏿'))
    assert.ok(finds('❤️', '❤') && finds('❤', ':heart:'))
    assert.ok(finds('1️⃣', ':one:') && finds('#️⃣ *️⃣', ':hash: *⃣'))
    assert.ok(finds('🇫🇷', '🇫🇷') && !finds('🇫🇷', '🇩🇪'))
    assert.ok(finds('👩‍💻', '👩‍💻') && !finds('👩‍💻', '👩'))
    assert.ok(finds(':+1:', '👍') && !finds('1', ':+1:'))
  })

  it('are found by the names of custom ones, which are images', () => {
    const parrot =
      '<p><img alt=":party_parrot:" class="emoji" src="/x.png" title="party parrot"></p>'

    assert.ok(finds(parrot, ':party_parrot:') && finds(parrot, 'parrot'))
    assert.ok(!finds('<img alt=":party_parrot:" src="/x.png">', ':party_parrot:'))
  })

  it('are highlighted', () => {
    const highlight = (html: string, search: string) => highlightWords(html, parseSearch([search]))

    assert.equal(highlight('a 👋🏽!', '👋'), `a ${mark('👋🏽')}!`)
    assert.equal(highlight(tada, '🎉'), tada.replace(':tada:', mark(':tada:')))
    assert.equal(highlight(tada, 'tada'), tada.replace(':tada:', `:${mark('tada')}:`))
    assert.equal(highlight(tada, '🎉 tada'), tada.replace(':tada:', mark(':tada:')))
  })

  it('are words that both databases index as a whole', () => {
    for (const word of indexedWords('🎉 #️⃣ *️⃣ 1️⃣ 👩‍💻 🇫🇷 :tada: :+1:')) {
      assert.match(word, /^[a-z\d\P{ASCII}]+$/u)
    }
  })
})
