import { setTimeout as sleep } from 'node:timers/promises'

/** A process that hangs is given up after this time, and asked again later. */
const answerMilliseconds = 10_000
const pauseMilliseconds = 50
/** For all attempts at one call. */
const limitMilliseconds = 150_000

type Parameters = Readonly<Record<string, unknown>>

/** How often each status, code or kind of failure was the answer, over all clients of a test. */
export type AnswerCounts = Map<string, number>

/** A client without a sticky session: each of its requests goes to the next process. */
export class RoamingClient {
  #requests = 0

  constructor(
    readonly name: string,
    private readonly authorization: string,
    private readonly processes: readonly { readonly origin: string }[],
    private readonly answers: AnswerCounts,
  ) {}

  /**
   * Tries again, at the next process, while there is no answer or a temporary error.
   *
   * @throws {Error} with any other answer than success.
   */
  async call<Body>(method: 'GET' | 'POST', path: string, parameters: Parameters): Promise<Body> {
    const deadline = performance.now() + limitMilliseconds
    for (;;) {
      const answer = await this.#ask(method, path, parameters)
      if (answer?.status === 200) return answer.body as Body
      if (answer !== undefined && answer.status !== 503) {
        throw new Error(`${method} ${path} answered ${JSON.stringify(answer)}`)
      }
      if (performance.now() > deadline) throw new Error(`No process answers ${method} ${path}`)
      await sleep(pauseMilliseconds)
    }
  }

  async #ask(
    method: string,
    path: string,
    parameters: Parameters,
  ): Promise<{ status: number; body: unknown } | undefined> {
    const { origin } = this.processes[this.#requests % this.processes.length] ?? { origin: '' }
    this.#requests += 1
    const fields = new URLSearchParams(
      Object.entries(parameters).map(([name, value]): [string, string] => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    )
    const isRead = method === 'GET'
    try {
      const response = await fetch(`${origin}/api/v1${path}${isRead ? `?${fields}` : ''}`, {
        method,
        headers: { authorization: this.authorization },
        ...(!isRead && { body: fields }),
        signal: AbortSignal.timeout(answerMilliseconds),
      })
      const body = (await response.json()) as { code?: string }
      this.#count(`${response.status} ${body.code ?? ''}`.trim())
      return { status: response.status, body }
    } catch (error) {
      // Node.js says nothing else about a connection that was lost, or a time that is over.
      if (!(error instanceof TypeError) && (error as Error).name !== 'TimeoutError') throw error
      this.#count('no answer')
      return undefined
    }
  }

  #count(answer: string): void {
    this.answers.set(answer, (this.answers.get(answer) ?? 0) + 1)
  }
}

export interface Queue {
  readonly queue_id: string
  readonly last_event_id: number
}

/** Sends messages one after the other; one without an answer is sent again with the same id. */
export class Sender {
  readonly sent: string[] = []
  #queueId: string | undefined

  constructor(private readonly client: RoamingClient) {}

  async send(channelId: number): Promise<void> {
    if (this.#queueId === undefined) {
      const queue = await this.client.call<Queue>('POST', '/register', { fetch_event_types: [] })
      this.#queueId = queue.queue_id
    }
    const content = `${this.client.name} ${this.sent.length} in ${channelId}`
    await this.client.call('POST', '/messages', {
      type: 'channel',
      to: channelId,
      topic: this.client.name,
      content,
      queue_id: this.#queueId,
      local_id: String(this.sent.length),
    })
    this.sent.push(content)
  }
}

/** Reads messages from one queue, at each process in turn. */
export class Reader {
  readonly contents: string[] = []
  #queue: Queue | undefined

  constructor(private readonly client: RoamingClient) {}

  async register(): Promise<void> {
    this.#queue = await this.client.call<Queue>('POST', '/register', {
      event_types: ['message'],
      fetch_event_types: [],
      apply_markdown: false,
    })
  }

  /** @throws {Error} if an event arrives twice or out of order. */
  async until(last: string): Promise<void> {
    const { queue_id } = this.#queue ?? { queue_id: '' }
    let { last_event_id } = this.#queue ?? { last_event_id: -1 }
    while (!this.contents.includes(last)) {
      const { events } = await this.client.call<{
        events: { id: number; type: string; message?: { content: string } }[]
      }>('GET', '/events', { queue_id, last_event_id })
      for (const event of events) {
        if (event.id <= last_event_id) throw new Error(`Event ${event.id} after ${last_event_id}`)
        last_event_id = event.id
        if (event.message !== undefined) this.contents.push(event.message.content)
      }
    }
    this.#queue = { queue_id, last_event_id }
  }
}
