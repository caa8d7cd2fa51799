import assert from 'node:assert/strict'

import createKnex from 'knex'

import type { Client } from './client.js'
import type { EventFeed, FedEvent } from './event-feed.js'
import type { FakeClock } from './fake-clock.js'
import type { HostCase, HostOptions } from './host.js'
import { until } from './waiting.js'
import { WebhookProgram, type ProgramAnswer } from './webhook-program.js'

/** Interval at which the server looks for due calls. */
export const roundSeconds = 10
/** Time limit of a call. */
export const timeoutSeconds = 15
/** Time for which no other process makes the same call. */
export const leaseSeconds = 60
/** Options of a queue that waits for messages of bots. */
export const messageEvents = {
  event_types: ['message'],
  apply_markdown: false,
  queue_lifespan_secs: 604_800,
}

/** Options of a host whose bots may call a {@link WebhookProgram}. */
export const reachingPrograms: HostOptions = {
  outgoingWebhooks: { privateHosts: ['127.0.0.1'] },
}

/** An outgoing webhook bot. */
export interface Bot {
  readonly client: Client
  readonly name: string
  readonly token: string
}

let bots = 0

/** Creates an outgoing webhook bot of `owner`. */
export async function createBot(
  at: HostCase,
  owner: Client,
  payload_url: string,
  more: Record<string, unknown> = {},
): Promise<Bot> {
  bots += 1
  const name = `Echo ${bots}`
  const { body, text } = await owner.post('/bots', {
    full_name: name,
    short_name: `echo${bots}`,
    bot_type: 3,
    payload_url: JSON.stringify(payload_url),
    ...more,
  })
  assert.equal(body.result, 'success', text)
  const { user } = (await owner.get(`/users/${body.user_id}`)).body
  const credentials = { email: user.email, apiKey: body.api_key }
  const { snapshot } = await owner.listen({ fetch_event_types: ['realm_bot'] })
  const managed = snapshot['realm_bots'] as { user_id: number; services: { token: string }[] }[]
  const token = managed.find(({ user_id }) => user_id === body.user_id)?.services[0]?.token
  return {
    client: at.host.client(at.subdomain, credentials, body.user_id, name),
    name,
    token: token as string,
  }
}

/** Events of feeds that have not been read yet. */
const unread = new WeakMap<EventFeed, FedEvent[]>()

/** Reads until the sender's next message arrives. */
export async function untilFrom(feed: EventFeed, sender: Client): Promise<FedEvent['message']> {
  const isWanted = ({ type, message }: FedEvent): boolean =>
    type === 'message' && message.sender_id === sender.id
  const known = unread.get(feed) ?? []
  const events = known.some(isWanted)
    ? known
    : await feed.until(`a message of ${sender.name}`, isWanted)
  const index = events.findIndex(isWanted)
  unread.set(feed, events.slice(index + 1))
  return events[index]?.['message']
}

/** Runs a case with a program and a bot of Alice's that calls it. */
export async function withProgram(
  at: HostCase,
  answers: readonly ProgramAnswer[],
  work: (program: WebhookProgram, bot: Bot) => Promise<void>,
  more: Record<string, unknown> = {},
): Promise<void> {
  const program = await WebhookProgram.start()
  program.answers = [...answers]
  try {
    await work(program, await createBot(at, at.people.alice, program.url, more))
  } finally {
    await program.stop()
  }
}

/** The response of a program whose bot is to post this content. */
export const replyWith = (content: string): ProgramAnswer => ({ body: JSON.stringify({ content }) })

/** Waits until that many calls have failed, and advances the clock until the next one. */
export async function retry(
  at: HostCase,
  program: WebhookProgram,
  bot: Bot,
  failures: number,
  delaySeconds: number,
): Promise<void> {
  const knex = createKnex(at.host.databaseConfig)
  try {
    const due_at_seconds = at.clock.seconds + delaySeconds
    const noted = { bot_id: bot.client.id, attempts: failures, due_at_seconds }
    const rows = async () => (await knex('chat_outgoing_webhook_calls').select()) as object[]
    let others: object[] = []
    await until(
      `failure ${failures} of a call, due again after ${delaySeconds} seconds`,
      async () => {
        others = await rows()
        return (await knex('chat_outgoing_webhook_calls').where(noted).first()) as
          | object
          | undefined
      },
      { instead: () => ({ noted, others }) },
    )
  } finally {
    await knex.destroy()
  }
  at.clock.jump(delaySeconds - 1)
  await passRound(at)
  assert.equal(program.calls.length, failures)
  at.clock.jump(1)
  await untilCalledAgain(at, program, failures)
}

/** Runs rounds until the program has been called more often than that. */
export async function untilCalledAgain(
  at: { readonly clock: FakeClock },
  program: WebhookProgram,
  calls: number,
): Promise<void> {
  const look = async (): Promise<boolean> => {
    if (program.calls.length === calls) await passRound(at)
    return program.calls.length > calls
  }
  await until(`call ${calls + 1} of the program`, look, { instead: () => program.calls })
}

/** Runs one round of everything that looks for due rows. */
export async function passRound({ clock }: { readonly clock: FakeClock }): Promise<void> {
  if (!clock.has(roundSeconds)) {
    // A round is running.
    await new Promise((resolve) => setImmediate(resolve))
    return
  }
  const isOver = clock.next('set', roundSeconds)
  clock.fire(roundSeconds)
  await isOver
}
