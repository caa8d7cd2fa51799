import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MarkdownRenderError, renderMarkdown } from '../../../packages/core/src/markdown/index.js'
import { exampleContext, settings } from './example-context.js'

const secret = 'the leeks are buried here'

function failureOf(render: () => unknown): MarkdownRenderError {
  try {
    render()
  } catch (error) {
    assert.ok(error instanceof MarkdownRenderError)
    return error
  }
  return assert.fail('rendering did not fail')
}

describe('limits', () => {
  it('refuse HTML a hundred times longer than the longest message', () => {
    const failure = failureOf(() =>
      renderMarkdown(
        '$$x$$ '.repeat(100),
        exampleContext({ settings: { ...settings, maxMessageLength: 100 } }),
      ),
    )

    assert.equal(failure.reason, 'output-too-long')
  })

  it('stop a render when its time is over', () => {
    let now = 0
    const failure = failureOf(() =>
      renderMarkdown('*a '.repeat(20_000), exampleContext({ clock: () => (now += 2_000) })),
    )

    assert.equal(failure.reason, 'out-of-time')
  })

  it('turn any exception inside into a failure that holds no text', () => {
    const failure = failureOf(() =>
      renderMarkdown(
        `:a: ${secret}`,
        exampleContext({
          findCustomEmoji: () => {
            throw new TypeError(`cannot read ${secret}`)
          },
        }),
      ),
    )

    assert.equal(failure.reason, 'internal-error')
    assert.ok(failure.cause instanceof Error)
    assert.equal(failure.cause.name, 'TypeError')
    for (const error of [failure, failure.cause]) {
      assert.ok(!`${error.message}${error.stack}${String(error)}`.includes(secret))
    }
  })
})
