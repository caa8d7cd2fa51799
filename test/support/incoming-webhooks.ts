import { makeBot } from './bots.js'
import type { Answer, Client } from './client.js'
import type { HostCase } from './host.js'

const json = { 'content-type': 'application/json' }

interface Place {
  readonly api_key?: string
  readonly stream?: string | number
  readonly topic?: string
}

/** Posts to a webhook as other services do: without an `Authorization` header. */
export function post(
  at: HostCase,
  name: string,
  place: Place,
  payload: unknown,
  headers: Record<string, string> = json,
): Promise<Answer> {
  const query = new URLSearchParams(
    Object.entries(place).map(([key, value]) => [key, String(value)]),
  )
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload)
  return at.nobody.send('POST', `/external/${name}?${query}`, Buffer.from(body), {
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
  })
}

export const webhookBot = (owner: Client) => makeBot(owner, { bot_type: 2 })

/** The newest message that a user can see. */
export async function newest(reader: Client) {
  const { body } = await reader.get('/messages', {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    apply_markdown: false,
  })
  const [message] = body.messages
  return message
}
