import { inject } from 'tsyringe'

import { abortedAfter } from '../../../kernel/aborted-work.js'
import type { Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import {
  BodyTooLong,
  PrivateAddress,
  readBody,
  sendRequest,
} from '../../../kernel/outgoing-requests.js'
import { OutgoingWebhookRulesToken, type OutgoingWebhookRules } from './outgoing-webhook-rules.js'

/** Covers everything from the DNS lookup to the last byte of the response. */
const timeoutMilliseconds = 15_000
const maxAnswerBytes = 256 * 1024
const userAgent = 'ZulipOutgoingWebhook/11.0'

/** The request to send. */
export interface WebhookRequest {
  readonly url: string
  readonly contentType: string
  readonly body: string
}

/** The outcome of a request. */
export type WebhookOutcome =
  | { readonly kind: 'answered'; readonly status: number; readonly body: string }
  | { readonly kind: 'timeout' | 'unreachable' | 'private' | 'tooLong' | 'stopped' }

/**
 * Sends requests to URLs that users have chosen: only to public addresses, and to private hosts
 * that the application allows. Redirects are not followed.
 */
@perServer()
export class WebhookClient {
  constructor(
    @inject(OutgoingWebhookRulesToken) private readonly rules: OutgoingWebhookRules,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /** @param stopping aborts the call. */
  async post(
    { url, contentType, body }: WebhookRequest,
    stopping: AbortSignal,
  ): Promise<WebhookOutcome> {
    return abortedAfter(this.clock, timeoutMilliseconds, stopping, async (signal) => {
      try {
        const response = await sendRequest({
          url: new URL(url),
          method: 'POST',
          headers: { 'content-type': contentType, 'user-agent': userAgent },
          body,
          privateHosts: this.rules.privateHosts,
          signal,
        })
        const answer = await readBody(response, maxAnswerBytes)
        return {
          kind: 'answered',
          status: response.statusCode ?? 0,
          body: answer.toString('utf8'),
        }
      } catch (error) {
        if (stopping.aborted) return { kind: 'stopped' }
        if (signal.aborted) return { kind: 'timeout' }
        if (error instanceof PrivateAddress) return { kind: 'private' }
        if (error instanceof BodyTooLong) return { kind: 'tooLong' }
        return { kind: 'unreachable' }
      }
    })
  }
}
