import type { Client } from '../support/client.js'

/** A request to send a message, as a client has sent it. */
export interface SentRequest {
  readonly queueId: string
  readonly localId: string
  readonly content: string
}

/** The network between a client and the server, as far as it is about sending messages. */
export class SendingNetwork {
  readonly requests: SentRequest[] = []
  /** What happens to the next request; by default, it is answered. */
  next: 'answered' | 'lost' | 'unanswered' | 'answered late' | 'over a limit' | 'signed out' =
    'answered'
  /** Ends the wait of those that are answered late. */
  answer: () => void = () => {}

  readonly fetch: typeof fetch = async (address, init) => {
    const form = init?.body
    const isSending = typeof address === 'string' && address.endsWith('/api/v1/messages')
    if (!isSending || !(form instanceof URLSearchParams)) return fetch(address, init)
    this.requests.push({
      queueId: form.get('queue_id') ?? '',
      localId: form.get('local_id') ?? '',
      content: form.get('content') ?? '',
    })
    const { next } = this
    this.next = 'answered'
    if (next === 'over a limit') {
      const answer = { result: 'error', msg: 'x', code: 'RATE_LIMIT_HIT', 'retry-after': 100 }
      return Response.json(answer, { status: 429 })
    }
    if (next === 'signed out') {
      return Response.json({ result: 'error', msg: 'x', code: 'UNAUTHORIZED' }, { status: 401 })
    }
    if (next === 'lost') throw new TypeError('The request is lost')
    const response = await fetch(address, init)
    if (next === 'unanswered') throw new TypeError('The answer is lost')
    if (next === 'answered late') await new Promise<void>((resolve) => (this.answer = resolve))
    return response
  }
}

/** The texts of all messages of a topic, oldest first. */
export async function contentsOf(reader: Client, channel: number, topic: string) {
  const { body } = await reader.get('/messages', {
    anchor: 'oldest',
    num_before: 0,
    num_after: 1000,
    apply_markdown: false,
    narrow: [
      { operator: 'channel', operand: channel },
      { operator: 'topic', operand: topic },
    ],
  })
  return body.messages.map(({ content }: { content: string }) => content) as string[]
}
