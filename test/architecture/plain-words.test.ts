import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { filesBelow, readProductSources, readText } from './source-files.js'

/** Words that had a private meaning in this project, and their replacements. */
const privateWords: readonly [word: RegExp, instead: string][] = [
  [/\b(?:sights?)\b/i, 'visibility'],
  [/\b(?:told|hears?)\b/i, 'send, receive or notify'],
  [/\bwhoever\b/i, 'any user who'],
  [/\bstrangers?\b/i, 'unknown user'],
  [/\bhouses?\b/i, 'server'],
  [/\brooms?\b/i, 'layer or module'],
  [/\bnouns?\b/i, 'resource'],
  [/\bdoors?\b/i, 'entry point'],
  [/\bturns? of the event loop\b/i, 'tick of the event loop'],
]

/** Allowed words: texts of the protocol and of the chat's own bots. */
const exceptions: readonly [path: string, word: string][] = [
  ['texts/english/messages.ts', 'room'],
  ['resources/administration/organization-lifecycle/first-contents.ts', 'Whoever'],
  ['resources/notifications/push-devices/push-token-service.ts', 'told'],
]

/** Every page that is written by hand. */
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...filesBelow('packages').filter((path) => path.endsWith('.md')),
  ...filesBelow('docs').filter(
    (path) => path.endsWith('.md') && !readText(path).startsWith('<!-- Written by'),
  ),
]

function findPrivateWords(path: string, text: string): string[] {
  const allowed = exceptions.filter(([end]) => path.endsWith(end)).map(([, word]) => word)
  return text.split('\n').flatMap((line, index) =>
    privateWords.flatMap(([word, instead]) => {
      const found = word.exec(line)?.[0]
      return found === undefined || allowed.includes(found)
        ? []
        : [`${path}:${index + 1}: '${found}': write ${instead}`]
    }),
  )
}

describe('the code and the documentation', () => {
  it('use no private words', () => {
    const texts = [
      ...readProductSources(),
      ...pages.map((path) => ({ path, text: readText(path) })),
    ]

    const found = texts.flatMap(({ path, text }) => findPrivateWords(path, text))

    assert.deepEqual(found, [])
  })
})

describe('the rule about private words', () => {
  it('reports a private word, but not as a part of another one', () => {
    assert.deepEqual(findPrivateWords('a.ts', '// each noun'), ["a.ts:1: 'noun': write resource"])
    assert.deepEqual(findPrivateWords('a.ts', '// announced in the warehouse, outdoors'), [])
  })
})
