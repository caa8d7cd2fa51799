import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import fc from 'fast-check'

import { plainTextOf } from '../../../packages/core/src/domain/texts/plain-text.js'
import { renderMarkdown } from '../../../packages/core/src/markdown/index.js'
import { messageOfSlack } from '../../../packages/core/src/resources/notifications/incoming-webhooks/slack-message.js'
import { searchedCharacters } from '../../support/searched-characters.js'
import { exampleContext } from '../markdown/example-context.js'
import { alertServices } from './slack-payloads/alert-services.js'
import { arbitraryPayload, placeholder } from './slack-payloads/arbitrary-payload.js'
import { codeServices } from './slack-payloads/code-services.js'
import { structures } from './slack-payloads/structures.js'
import { texts } from './slack-payloads/texts.js'

for (const [source, cases] of [
  ['a service', [...codeServices, ...alertServices]],
  ["Slack's documentation", [...texts, ...structures]],
] as const) {
  describe(`a payload of ${source}`, () => {
    for (const { title, payload, shows } of cases) {
      it(`becomes Markdown: ${title}`, () => {
        assert.equal(messageOfSlack(payload).content, shows)
      })
    }
  })
}

describe('any payload', () => {
  it('shows all of its texts', () => {
    fc.assert(
      fc.property(arbitraryPayload, (structure) => {
        const words: string[] = []
        const payload: unknown = JSON.parse(
          JSON.stringify(structure).replaceAll(placeholder, () => {
            words.push(`w${words.length}w`)
            return words.at(-1) ?? ''
          }),
        )

        const { content } = messageOfSlack(payload)

        const shown = plainTextOf(renderMarkdown(content, exampleContext()).html)
        assert.deepEqual(
          words.filter((word) => !shown.includes(word)),
          [],
          content,
        )
      }),
      { numRuns: 500 },
    )
  })

  it('mentions nobody by plain text', () => {
    const text = { type: 'plain_text', text: '@**all** @*ops*' }
    const payload = {
      blocks: [
        { type: 'header', text },
        { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [text] }] },
      ],
      attachments: [{ title: text.text, title_link: 'https://a.example', footer: text.text }],
    }

    const { html } = renderMarkdown(messageOfSlack(payload).content, exampleContext())

    assert.ok(!html.includes('mention'), html)
  })

  for (const piece of ['<', '`', '<a:|', '@*', '](', ':a', '> ', '- ', '|', '[', ']']) {
    it(`is not searched again and again: ${piece}`, () => {
      const text = piece.repeat(10_000 / piece.length)
      const payload = { blocks: Array.from({ length: 100 }, () => ({ type: 'future', text })) }

      const searched = searchedCharacters(() => messageOfSlack(payload))

      // Of all texts, 40,000 characters are read.
      assert.ok(searched < 10 * 40_000, `${searched} characters`)
    })
  }
})
