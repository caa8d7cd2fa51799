import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'

import { ChatError, namedText } from '../../../packages/core/src/errors/index.js'
import { german } from '../../../packages/core/src/languages/de.js'
import { french } from '../../../packages/core/src/languages/fr.js'
import {
  englishTexts,
  NamedText,
  placeholdersOf,
  Translator,
  type TextName,
} from '../../../packages/core/src/texts/index.js'

const names = Object.keys(englishTexts) as TextName[]
const silent = { debug() {}, info() {}, warn() {}, error() {} }

for (const { tag, texts } of [german, french]) {
  describe(`the texts of ${tag}`, () => {
    it('has a translation of every text, and no others', () => {
      assert.deepEqual(Object.keys(texts).sort(), [...names].sort())
    })

    it('has the placeholders of the English texts', () => {
      const different = names.filter(
        (name) =>
          placeholdersOf(texts[name] ?? '').join() !== placeholdersOf(englishTexts[name]).join(),
      )

      assert.deepEqual(different, [])
    })
  })
}

describe('the names of texts', () => {
  it('belong to one group each', () => {
    const folder = new URL('../../../packages/core/src/texts/english/', import.meta.url)
    const all = readdirSync(folder).flatMap((file) =>
      [...readFileSync(new URL(file, folder), 'utf8').matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(
        ([, name]) => name,
      ),
    )

    assert.deepEqual(
      all.filter((name, index) => all.indexOf(name) !== index),
      [],
    )
    assert.equal(all.length, names.length)
  })
})

describe('an error', () => {
  it('has the name and the values of its text', () => {
    const error = new ChatError('BAD_REQUEST', {
      text: namedText('CHANNEL_NAME_TOO_LONG', { limit: 60 }),
    })

    assert.equal(error.message, 'Channel name too long (limit: 60 characters).')
    assert.equal(error.reason, 'CHANNEL_NAME_TOO_LONG')
    assert.deepEqual(error.values, { limit: 60 })
  })

  it('has the default text of its kind with its fields', () => {
    const error = new ChatError('STREAM_DOES_NOT_EXIST', { fields: { stream: 'x' } })

    assert.equal(error.message, "Channel 'x' does not exist")
    assert.equal(error.reason, 'CHANNEL_WITH_NAME_UNKNOWN')
  })

  it('has no text to translate if the application has written it', () => {
    const error = new ChatError('BAD_REQUEST', { message: 'Not on Sundays' })

    assert.equal(error.reason, 'BAD_REQUEST')
    assert.equal(error.text, undefined)
    assert.equal(error.message, 'Not on Sundays')
  })
})

describe('a translator', () => {
  const both = new Translator({ languages: [german, french] }, silent)

  it('translates a text and the texts in it', () => {
    const text = namedText('QUOTA_EXCEEDED', { objects: namedText('DRAFTS_PER_USER'), limit: 3 })

    assert.equal(text.toString(), 'Too many drafts (limit: 3)')
    assert.equal(both.textOf(text, 'de'), 'Zu viele Entwürfe (höchstens 3)')
    assert.equal(both.textOf(text, 'fr'), 'Trop de brouillons (maximum : 3)')
    assert.equal(both.textOf(text, 'en'), text.toString())
  })

  it('inserts values as text, placeholders and replacement patterns included', () => {
    const text = namedText('CHANNEL_NAME_UNKNOWN', { name: "{name} $& $1 <b>{limit}'" })

    assert.equal(both.textOf(text, 'de'), "Ungültiger Kanalname „{name} $& $1 <b>{limit}'“")
  })

  it('takes no object of a client for a text', () => {
    const text = new NamedText('REQUEST_VARIABLE_INVALID', {
      var_name: 'x',
      bad_value: { name: 'INTERNAL_SERVER_ERROR', values: {} },
    })

    assert.equal(both.textOf(text, 'de'), 'Ungültiger Wert für „x“: [object Object]')
  })

  it('finds the language that a header prefers', () => {
    const cases: readonly (readonly [string | undefined, string | undefined])[] = [
      [undefined, undefined],
      ['', undefined],
      ['de', 'de'],
      ['DE-at', 'de'],
      ['it, fr;q=0.5', 'fr'],
      ['de;q=0.3, fr;q=0.8', 'fr'],
      ['de;q=0, en', 'en'],
      ['en-US,de', 'en'],
      ['de;q=2', undefined],
      ['*', undefined],
      [`${'x'.repeat(500)}, de`, undefined],
    ]
    for (const [header, expected] of cases) assert.equal(both.preferredBy(header), expected, header)
  })

  it('uses what the application writes, and falls back if that fails, reporting it once', () => {
    const logged: string[] = []
    const logger = { ...silent, error: (message: string) => void logged.push(message) }
    const translator = new Translator(
      {
        languages: [german],
        translate(name, values, locale, text) {
          if (name === 'USER_UNKNOWN') return `${locale}: ${text}`
          if (name === 'BOT_UNKNOWN') throw new Error('broken')
          if (name === 'DRAFT_UNKNOWN') return 5 as unknown as string
          return undefined
        },
      },
      logger,
    )
    const inGerman = (
      name: 'USER_UNKNOWN' | 'BOT_UNKNOWN' | 'DRAFT_UNKNOWN' | 'CANNOT_MUTE_SELF',
    ) => translator.textOf(namedText(name), 'de')

    assert.equal(inGerman('USER_UNKNOWN'), 'de: Diesen Benutzer gibt es nicht')
    assert.equal(inGerman('BOT_UNKNOWN'), 'Diesen Bot gibt es nicht')
    assert.equal(inGerman('DRAFT_UNKNOWN'), 'Diesen Entwurf gibt es nicht')
    assert.equal(inGerman('CANNOT_MUTE_SELF'), 'Sie können sich nicht selbst stummschalten')
    assert.deepEqual(logged, ['texts.translate failed'])
  })
})
