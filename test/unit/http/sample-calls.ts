import assert from 'node:assert/strict'

import { ask, type RequestParts } from './sample-request.js'
import { SampleChat } from './sample-server.js'

/** A sample server, and calls that expect their parameters or an error as the response. */
export function sampleCalls() {
  const chat = new SampleChat()
  return {
    chat,
    paramsOf: async (parts: RequestParts, target = 'POST /samples'): Promise<unknown> => {
      const { status, body } = await ask(chat, target, parts)
      assert.equal(status, 200, JSON.stringify(body))
      return body['params']
    },
    refusalOf: async (
      parts: RequestParts,
      target = 'POST /samples',
    ): Promise<Record<string, unknown>> => {
      const { status, body } = await ask(chat, target, parts)
      assert.equal(status, 400, JSON.stringify(body))
      const { result, ...rest } = body
      assert.equal(result, 'error')
      return rest
    },
  }
}
