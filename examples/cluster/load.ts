import { setTimeout as sleep } from 'node:timers/promises'

import { ChatClient, type Connection } from '@parley/client'
import { WebSocket } from 'ws'

const names = ['ada', 'ben', 'cleo', 'dan', 'eva', 'finn', 'gia', 'hugo']
const pauseMilliseconds = 250
const arrivalSeconds = 90
/** A broken cluster would have one for each message. */
const maxProblems = 20

/** For `organizations.load`: everybody is in one channel. */
export const organizationFile = {
  organization: { name: 'Cluster' },
  users: names.map((name, index) => ({
    id: index + 1,
    email: emailOf(name),
    full_name: name,
    api_key: apiKeyOf(name),
  })),
  channels: [{ id: 1, name: 'all', subscribers: names.map((_, index) => index + 1) }],
}

/** What happened since the last look. */
export interface LoadNumbers {
  readonly sent: number
  readonly received: number
  /** How long the slowest message took that has arrived, from `send` to the last reader. */
  readonly slowestMilliseconds: number
}

/**
 * People who send one message after the other, and read all of them. Each message has the name of its
 * sender, its number and its time; so each reader knows which one has to be the next.
 */
export class Load {
  readonly problems: string[] = []
  readonly #people: readonly Person[]
  #sinceLook = { sent: 0, received: 0, slowestMilliseconds: 0 }

  constructor(origin: string) {
    const events = {
      sent: () => {
        this.#sinceLook.sent += 1
      },
      received: (milliseconds: number) => {
        const { received, slowestMilliseconds } = this.#sinceLook
        this.#sinceLook.received = received + 1
        this.#sinceLook.slowestMilliseconds = Math.max(slowestMilliseconds, milliseconds)
      },
      problem: (text: string) => {
        if (this.problems.length < maxProblems) this.problems.push(text)
      },
    }
    this.#people = names.map((name) => new Person(name, origin, events))
  }

  get readers(): number {
    return this.#people.length
  }

  get sent(): number {
    return this.#people.reduce((sum, { sent }) => sum + sent, 0)
  }

  async start(): Promise<void> {
    await Promise.all(this.#people.map((person) => person.open()))
    for (const person of this.#people) person.startSending()
  }

  look(): LoadNumbers {
    const numbers = this.#sinceLook
    this.#sinceLook = { sent: 0, received: 0, slowestMilliseconds: 0 }
    return numbers
  }

  /** Whether everybody has got a message of everybody that was sent after this time. */
  isEveryoneReachedSince(time: number): boolean {
    return this.#people.every((reader) => names.every((name) => reader.newestOf(name) >= time))
  }

  /** Sends no more, and waits for everything that was sent. */
  async stop(): Promise<void> {
    for (const person of this.#people) person.stopSending()
    const deadline = performance.now() + arrivalSeconds * 1000
    const isComplete = (): boolean =>
      this.#people.every(({ isSending, read }) => !isSending && read === this.sent)
    while (!isComplete() && performance.now() < deadline) await sleep(20)
    for (const { name, read } of this.#people) {
      if (read !== this.sent) this.problems.push(`${name} got ${read} of ${this.sent} messages`)
    }
    await Promise.all(this.#people.map((person) => person.close()))
  }
}

interface PersonEvents {
  sent(): void
  received(milliseconds: number): void
  problem(text: string): void
}

class Person {
  /** How many messages the server has taken. */
  sent = 0
  /** How many messages have arrived. */
  read = 0
  readonly #client: ChatClient
  readonly #connection: Connection
  readonly #newest = new Map<string, { number: number; sentAt: number }>()
  readonly #registered: Promise<void>
  #isStopping = false

  constructor(
    readonly name: string,
    origin: string,
    private readonly events: PersonEvents,
  ) {
    this.#client = new ChatClient({
      url: origin,
      credentials: { type: 'apiKey', email: emailOf(name), apiKey: apiKeyOf(name) },
      WebSocket,
      onError: (error) => events.problem(`${name}: ${String(error)}`),
    })
    let registrations = 0
    let finish: () => void
    this.#registered = new Promise((resolve) => (finish = resolve))
    this.#connection = this.#client.connection(
      { event_types: ['message'], fetch_event_types: [], apply_markdown: false },
      {
        registered() {
          registrations += 1
          if (registrations > 1) events.problem(`${name} lost the event queue`)
          finish()
        },
        received: (list) => {
          for (const event of list) {
            if (event.type === 'message') this.#receive(event.message.content)
          }
        },
        changed({ kind }) {
          if (['replaced', 'signedOut', 'refused'].includes(kind)) {
            events.problem(`${name} was disconnected: ${kind}`)
          }
        },
      },
    )
  }

  /** Whether a message is on its way. */
  get isSending(): boolean {
    return this.#client.outbox.messages.length > 0
  }

  /** When the newest message of this sender that has arrived was sent. */
  newestOf(sender: string): number {
    return this.#newest.get(sender)?.sentAt ?? Number.NEGATIVE_INFINITY
  }

  async open(): Promise<void> {
    this.#client.open()
    this.#connection.open()
    await this.#registered
  }

  startSending(): void {
    const { outbox } = this.#client
    let isPausing = false
    const send = (): void => {
      isPausing = false
      if (this.#isStopping) return
      outbox.send({
        to: { channel: 1, topic: this.name },
        content: `${this.name} ${this.sent} ${performance.now()}`,
      })
    }
    outbox.subscribe(() => {
      const [message] = outbox.messages
      if (message?.state === 'failed') {
        this.events.problem(`${this.name} could not send: ${message.error?.code}`)
      }
      // It leaves the outbox when its event has arrived.
      if (message !== undefined || isPausing) return
      isPausing = true
      this.sent += 1
      this.events.sent()
      setTimeout(send, pauseMilliseconds)
    })
    send()
  }

  stopSending(): void {
    this.#isStopping = true
  }

  async close(): Promise<void> {
    await Promise.all([this.#connection.close(), this.#client.close()])
  }

  #receive(content: string): void {
    const [sender = '', number, sentAt] = content.split(' ')
    const expected = (this.#newest.get(sender)?.number ?? -1) + 1
    if (Number(number) !== expected) {
      this.events.problem(`${this.name} got number ${number} of ${sender} instead of ${expected}`)
    }
    this.#newest.set(sender, { number: Number(number), sentAt: Number(sentAt) })
    this.read += 1
    this.events.received(performance.now() - Number(sentAt))
  }
}

function emailOf(name: string): string {
  return `${name}@cluster.example`
}

function apiKeyOf(name: string): string {
  return name.padEnd(32, 'k')
}
