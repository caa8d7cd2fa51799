import assert from 'node:assert/strict'

import type { Answer, Client } from '../support/client.js'
import type { Listener } from './listener.js'
import { untilAnswered } from './server-process.js'

/** What each sender sends. */
export const messagesEach = 12

/** The responses to the messages, as their senders received them. */
export interface Outcome {
  readonly acknowledged: Set<string>
  /** The connection ended before the response, or the response was 503. */
  readonly unknown: Set<string>
}

export function emptyOutcome(): Outcome {
  return { acknowledged: new Set(), unknown: new Set() }
}

/**
 * Sends one message after the other, each one once.
 *
 * @param answerOf may repeat what was refused.
 */
export async function sendAll(
  client: Client,
  outcome: Outcome,
  onAnswer: () => void,
  answerOf: (send: () => Promise<Answer>) => Promise<Answer> = (send) => send(),
): Promise<void> {
  for (let index = 0; index < messagesEach; index += 1) {
    const content = `${client.name} ${index}`
    try {
      const message = { type: 'channel', to: 1, topic: 'storm', content }
      const answer = await answerOf(() => client.post('/messages', message))
      if (answer.status !== 200 && answer.status !== 503) throw new Error(answer.text)
      outcome[answer.status === 200 ? 'acknowledged' : 'unknown'].add(content)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error
      outcome.unknown.add(content)
      await untilAnswered(() => client.get('/server_settings'))
    }
    onAnswer()
  }
}

export function assertKept(
  { contents }: Listener,
  { acknowledged, unknown }: Outcome,
  senderNames: readonly string[],
): void {
  const counts = new Map<string, number>()
  for (const content of contents) counts.set(content, (counts.get(content) ?? 0) + 1)
  assert.deepEqual(
    [...acknowledged].filter((content) => counts.get(content) !== 1),
    [],
    'every acknowledged message was delivered exactly once',
  )
  assert.deepEqual(
    [...unknown].filter((content) => (counts.get(content) ?? 0) > 1),
    [],
    'no other message was delivered twice',
  )
  for (const name of senderNames) {
    const indexes = contents
      .filter((content) => content.startsWith(`${name} `))
      .map((content) => Number(content.split(' ')[1]))
    const inOrder = [...indexes].sort((a, b) => a - b)
    assert.deepEqual(indexes, inOrder, `the messages of ${name} were delivered in order`)
  }
}
