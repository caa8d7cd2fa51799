import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { renderMarkdown, renderTopicLinks } from '../../../packages/core/src/markdown/index.js'
import { findForbidden } from './allow-list.js'
import { arbitrarySource } from './arbitrary-source.js'
import { exampleContext, linkifiers } from './example-context.js'

/** Seconds to search for failures; a few hundred runs by default. */
const fuzzSeconds = Number(process.env['CHAT_FUZZ_SECONDS'] ?? 0)
const quickRuns = 300

const budget =
  fuzzSeconds > 0
    ? {
        numRuns: Number.MAX_SAFE_INTEGER,
        interruptAfterTimeLimit: fuzzSeconds * 1_000,
        markInterruptAsFailure: false,
      }
    : { numRuns: quickRuns }

describe('fuzzing', () => {
  it('finds no source that throws, produces forbidden HTML or takes too many operations', () => {
    fc.assert(
      fc.property(
        fc.oneof(arbitrarySource, fc.string({ unit: 'binary', maxLength: 200 })),
        (written) => {
          const source = written.replace(/[\p{Surrogate}\0]/gu, '')
          let operations = 0

          const { html } = renderMarkdown(
            source,
            exampleContext({
              onOperationsCounted: (counted) => {
                operations = counted
              },
            }),
          )

          assert.deepEqual(findForbidden(html), [])
          assert.ok(operations <= 2_000 * (source.length + 1))
        },
      ),
      budget,
    )
  })

  it('finds no topic with overlapping links or an exception', () => {
    fc.assert(
      fc.property(arbitrarySource, (topic) => {
        for (const { text, url } of renderTopicLinks(topic, linkifiers)) {
          assert.ok(topic.includes(text))
          assert.ok(/^(?:https?:\/\/|bitcoin:)/.test(url))
        }
      }),
      { numRuns: quickRuns },
    )
  })
})
