import type { IncomingMessage } from 'node:http'

import { abortedAfter } from '../../../kernel/aborted-work.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { PrivateAddress, sendRequest } from '../../../kernel/outgoing-requests.js'
import { PermanentFailure } from '../consumers/index.js'
import type { WebhookSettings } from './webhook-options.js'
import { signatureHeader, signatureOf } from './webhook-signature.js'

/** Covers everything from the DNS lookup to the last byte of the answer. */
const timeoutMilliseconds = 15_000
const maxAnswerBytes = 16 * 1024
const gone = 410

/** The id and the body of a request. */
export interface WebhookContent {
  readonly id: string
  readonly body: string
}

/**
 * Sends a request to the receiver of a webhook. Redirects are not followed.
 *
 * @param stopping aborts it.
 * @throws {PermanentFailure} if the receiver answers 410.
 * @throws {Error} if the event is not received; another attempt may succeed.
 */
export async function sendToReceiver(
  { url, secrets, privateHosts }: WebhookSettings,
  { id, body }: WebhookContent,
  clock: Clock,
  stopping: AbortSignal,
): Promise<void> {
  await abortedAfter(clock, timeoutMilliseconds, stopping, async (signal) => {
    try {
      const response = await sendRequest({
        url,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Parley-Webhooks',
          'parley-event-id': id,
          [signatureHeader]: signatureOf(body, secrets, nowSeconds(clock)),
        },
        body,
        privateHosts,
        signal,
      })
      await discardBody(response)
      requireReceived(response.statusCode ?? 0)
    } catch (error) {
      if (signal.aborted && !stopping.aborted) {
        throw new Error(`The receiver has not answered in ${timeoutMilliseconds / 1000} seconds`, {
          cause: error,
        })
      }
      if (error instanceof PrivateAddress) {
        throw new Error('The host of the receiver has a private address', { cause: error })
      }
      throw error
    }
  })
}

function requireReceived(status: number): void {
  if (status >= 200 && status < 300) return
  const message = `The receiver has answered ${status}`
  throw status === gone ? new PermanentFailure(message) : new Error(message)
}

/** Lets the receiver finish a short answer. The status alone counts. */
async function discardBody(response: IncomingMessage): Promise<void> {
  const body: AsyncIterable<Buffer> = response
  let length = 0
  try {
    for await (const chunk of body) {
      length += chunk.length
      if (length > maxAnswerBytes) return
    }
  } catch {
    // The receiver has decided already.
  }
}
