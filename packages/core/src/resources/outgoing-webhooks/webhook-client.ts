import { inject } from 'tsyringe'

import type { Clock } from '../../kernel/clock.js'
import { perServer } from '../../kernel/per-server.js'
import { ClockToken } from '../../kernel/tokens.js'
import { BodyTooLong, PrivateAddress, readBody, sendRequest } from '../outgoing-requests/index.js'
import { OutgoingWebhookRulesToken, type OutgoingWebhookRules } from './outgoing-webhook-rules.js'

/** For everything from the search for the address to the last byte of the answer. */
const timeoutMilliseconds = 15_000
const maxAnswerBytes = 256 * 1024
const userAgent = 'ZulipOutgoingWebhook/11.0'

/** What is to be sent. */
export interface WebhookRequest {
  readonly url: string
  readonly contentType: string
  readonly body: string
}

/** What came of it. */
export type WebhookOutcome =
  | { readonly kind: 'answered'; readonly status: number; readonly body: string }
  | { readonly kind: 'timeout' | 'unreachable' | 'private' | 'tooLong' | 'stopped' }

/**
 * Calls addresses that users have chosen: only public ones, and others that the application has
 * named. Redirects are not followed.
 */
@perServer()
export class WebhookClient {
  constructor(
    @inject(OutgoingWebhookRulesToken) private readonly rules: OutgoingWebhookRules,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /** @param stopping ends the call at once. */
  async post(
    { url, contentType, body }: WebhookRequest,
    stopping: AbortSignal,
  ): Promise<WebhookOutcome> {
    const timeout = new AbortController()
    const timer = this.clock.setTimeout(() => timeout.abort(), timeoutMilliseconds)
    try {
      const response = await sendRequest({
        url: new URL(url),
        method: 'POST',
        headers: { 'content-type': contentType, 'user-agent': userAgent },
        body,
        privateHosts: this.rules.privateHosts,
        signal: AbortSignal.any([stopping, timeout.signal]),
      })
      const answer = await readBody(response, maxAnswerBytes)
      return {
        kind: 'answered',
        status: response.statusCode ?? 0,
        body: answer.toString('utf8'),
      }
    } catch (error) {
      if (stopping.aborted) return { kind: 'stopped' }
      if (timeout.signal.aborted) return { kind: 'timeout' }
      if (error instanceof PrivateAddress) return { kind: 'private' }
      if (error instanceof BodyTooLong) return { kind: 'tooLong' }
      return { kind: 'unreachable' }
    } finally {
      timer.cancel()
    }
  }
}
