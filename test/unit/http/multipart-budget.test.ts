import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'

import { ChatError } from '../../../packages/core/src/errors/index.js'
import { BodyBudget } from '../../../packages/core/src/http/bodies/body-budget.js'
import {
  MultipartReader,
  type UploadPlan,
} from '../../../packages/core/src/http/bodies/multipart-reader.js'

const mebibyte = 1024 * 1024
const headers = { 'content-type': 'multipart/form-data; boundary=b' }
const filler = (bytes = 4 * mebibyte): string => 'x'.repeat(bytes)
const part = (head: string, content: string): string => `--b\r\n${head}\r\n\r\n${content}\r\n`
const file = (content: string): string =>
  part('Content-Disposition: form-data; name="f"; filename="f.txt"', content)
const field = (content: string): string =>
  part('Content-Disposition: form-data; name="topic"', content)
const end = '--b--\r\n'

/** Takes one file of any length, as it arrives. */
const streaming: UploadPlan = {
  maxFileBytes: 100 * mebibyte,
  receive: async ({ content }) => {
    for await (const _ of content);
  },
  abandon: async () => {},
  tooLarge: () => new Error('too large'),
}

/** @returns the bytes that were held at the end. @throws {ChatError} if they were too many. */
async function read(body: string, upload: UploadPlan | undefined): Promise<number> {
  const budget = new BodyBudget({ maxBytes: 8 * mebibyte, maxBytesPerAddress: 3 * mebibyte })
  const share = budget.open('192.0.2.1', true)
  const limits = { maxFormBytes: 100 * mebibyte, share }
  const reader = new MultipartReader(headers, upload, limits, new Map())
  reader.onFailure(() => {})
  const bytes = Buffer.from(body)
  for (let start = 0; start < bytes.length; start += 16_384) {
    if (!reader.write(bytes.subarray(start, start + 16_384))) {
      await new Promise<void>((resolve) => reader.onceReady(resolve))
    }
    await setImmediate()
  }
  await reader.end()
  return budget.heldBytes
}

const uncountable: Readonly<Record<string, readonly [string, UploadPlan | undefined]>> = {
  'a file that the operation does not take': [file(filler()) + end, undefined],
  'files after the one that is streamed': [file('a') + file(filler()) + end, streaming],
  'many small files after it': [
    file('a') + Array.from({ length: 18 }, () => file(filler(mebibyte / 4))).join('') + end,
    streaming,
  ],
  'a field after it': [file('a') + field(filler()) + end, streaming],
  'a field before it': [field(filler()) + file('a') + end, streaming],
  'a part without a name': [file('a') + part('X-Other: 1', filler()) + end, streaming],
  'what follows the end': [file('a') + end + filler(), streaming],
  'what follows the end of a form': [field('a') + end + filler(), undefined],
  'what precedes the first part': [`${filler()}\r\n${file('a')}${end}`, streaming],
}

describe('the budget of a multipart body', () => {
  for (const [title, [body, upload]] of Object.entries(uncountable)) {
    it(`counts ${title}`, async () => {
      await assert.rejects(
        read(body, upload),
        (error: unknown) => error instanceof ChatError && error.kind === 'RATE_LIMIT_HIT',
      )
    })
  }

  it('does not count the file that is streamed, beyond its buffers', async () => {
    const held = await read(field('a') + file(filler()) + end, streaming)
    assert.ok(held < 1.5 * mebibyte, String(held))
  })
})
