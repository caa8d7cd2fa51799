import type { ChatApi, Registration } from './api.js'
import { Backoff } from './backoff.js'
import type { ConnectionState } from './connection-events.js'
import { conversationOf } from './destination.js'
import type { Environment } from './environment.js'
import { ApiError, isTemporary, retryAfterOf } from './errors.js'
import type { ServerEvent } from '@parley/wire/events'
import { OutboxArrivals } from './outbox-arrivals.js'
import { isDelayed, isOutdated, OutboxAttempts, type Attempt } from './outbox-attempts.js'
import { mayBeSent, unsent, type OutboxEntry } from './outbox-entry.js'
import { OutboxList } from './outbox-list.js'
import { StoredEntries } from './outbox-storage.js'
import type { NewMessage, Outbox, OutboxStorage, PendingMessage } from './pending-message.js'

const maxMessages = 200
const maxCharacters = 1_000_000
/** Servers know the key of a message for a day. */
const maxAgeMilliseconds = 23 * 60 * 60_000

export interface OutboxOptions {
  readonly api: Pick<ChatApi, 'sendMessage'>
  readonly environment: Pick<Environment, 'now' | 'after' | 'log'>
  readonly storage: OutboxStorage | undefined
  /** Called with the error of a listener or of the storage. */
  readonly failed: (error: unknown) => void
  /** Called when the user has sent a message. */
  readonly begun: () => void
}

/** Sends messages until the server has them: each once, and in order. */
export class OutboxSender implements Outbox {
  readonly #options: OutboxOptions
  readonly #list: OutboxList
  readonly #attempts: OutboxAttempts
  readonly #stored: StoredEntries
  readonly #arrivals: OutboxArrivals
  readonly #backoff = new Backoff()
  #queueId: string | undefined
  #userId: number | undefined
  /** Whether the server has refused the credentials. */
  #isSignedOut = false

  constructor(options: OutboxOptions) {
    this.#options = options
    this.#list = new OutboxList(options.environment, options.failed)
    this.#attempts = new OutboxAttempts(options.environment)
    this.#arrivals = new OutboxArrivals(options.environment, (hasArrived) =>
      this.#arrived(hasArrived),
    )
    this.#stored = new StoredEntries(options.storage, options.failed)
  }

  get messages(): readonly PendingMessage[] {
    return this.#list.messages
  }

  subscribe(listener: () => void): () => void {
    return this.#list.subscribe(listener)
  }

  /** Calls listeners once, after `change`. */
  batch(change: () => void): void {
    this.#list.batch(change)
  }

  send({ to, content }: NewMessage): PendingMessage {
    const { entries } = this.#list
    const characters = entries.reduce((sum, { message }) => sum + message.content.length, 0)
    if (entries.length >= maxMessages || characters + content.length > maxCharacters) {
      throw new RangeError('The outbox is full')
    }
    const now = this.#options.environment.now()
    const localId = `${now.toString(36)}.${Math.random().toString(36).slice(2)}`
    const message: PendingMessage = {
      localId,
      to,
      content,
      createdAtMilliseconds: now,
      state: 'waiting',
      error: undefined,
    }
    this.batch(() => {
      this.#list.set([...entries, { message, ...unsent }])
      this.#save()
      this.#work()
    })
    this.#options.begun()
    return this.#list.find(localId)?.message ?? message
  }

  retry(localId: string): void {
    const entry = this.#list.find(localId)
    if (entry === undefined) return
    this.#isSignedOut = false
    if (entry.message.state === 'failed') this.#prepare(entry, entry.message.content)
    else this.#again((attempt) => attempt.localId === localId && isDelayed(attempt))
  }

  edit(localId: string, content: string): boolean {
    const entry = this.#list.find(localId)
    if (entry === undefined || mayBeSent(entry)) return false
    this.#prepare(entry, content)
    return true
  }

  discard(localId: string): boolean {
    const entry = this.#list.find(localId)
    if (entry === undefined) return false
    this.batch(() => {
      this.#list.removeAll((other) => other === entry)
      this.#save()
      this.#again((attempt) => attempt.localId === localId)
    })
    return !mayBeSent(entry)
  }

  /** Takes the state of the server at the beginning, and again if its queue was lost. */
  registered({ queue_id, user_id, max_message_id }: Registration): void {
    this.batch(() => {
      if (user_id !== undefined && user_id !== this.#userId) this.#begin(user_id)
      this.#queueId = queue_id ?? undefined
      this.#isSignedOut = false
      this.#arrivals.know(max_message_id ?? -1)
      this.#work()
    })
  }

  received(events: readonly ServerEvent[]): void {
    this.batch(() => {
      for (const event of events) {
        if (event.type !== 'message') continue
        const localId = event.local_message_id
        if (localId !== undefined) this.#arrived(({ message }) => message.localId === localId)
        this.#arrivals.know(event.message.id)
      }
    })
  }

  changed({ kind }: ConnectionState): void {
    this.#arrivals.isConnected = kind === 'connected'
    if (kind === 'connected') {
      this.#isSignedOut = false
      this.#backoff.reset()
      this.#again(isOutdated)
    } else {
      this.#attempts.doubt()
    }
  }

  /** Ends all attempts. The messages wait for the next registration. */
  close(): void {
    this.#queueId = undefined
    this.#arrivals.close()
    this.#again(() => true)
  }

  /** Takes over the messages that the user has left, and none of another user. */
  #begin(userId: number): void {
    const { entries } = this.#list
    const own = this.#userId === undefined ? entries : []
    this.#userId = userId
    this.#list.set([...this.#stored.load(userId, maxMessages - own.length), ...own])
    this.#again((attempt) => this.#list.find(attempt.localId) === undefined)
    this.#save()
  }

  #arrived(hasArrived: (entry: OutboxEntry) => boolean): void {
    if (!this.#list.removeAll(hasArrived)) return
    this.#save()
    this.#again((attempt) => this.#list.find(attempt.localId) === undefined)
  }

  /** Lets a message be sent that the server does not have. */
  #prepare({ message: { localId }, ...entry }: OutboxEntry, content: string): void {
    this.batch(() => {
      // After a day the server no longer knows the key, which is then of no use.
      const key = entry.isUncertain && !this.#isTooOld(entry) ? {} : unsent
      this.#list.change(localId, {
        ...key,
        message: { content, state: 'waiting', error: undefined },
      })
      this.#save()
      this.#again((attempt) => attempt.localId === localId)
    })
  }

  #isTooOld({ firstAttemptAt }: Pick<OutboxEntry, 'firstAttemptAt'>): boolean {
    if (firstAttemptAt === undefined) return false
    return this.#options.environment.now() - firstAttemptAt > maxAgeMilliseconds
  }

  /** Ends some attempts, and begins those that can begin. */
  #again(isEnded: (attempt: Attempt) => boolean): void {
    this.batch(() => {
      for (const localId of this.#attempts.end(isEnded)) this.#postpone(localId, true)
      this.#work()
    })
  }

  /** Begins to send the first message of each conversation. */
  #work(): void {
    const queueId = this.#queueId
    if (queueId === undefined || this.#isSignedOut) return
    const seen = new Set<string>()
    for (const entry of this.#list.entries) {
      if (this.#attempts.isFull) return
      const { state, to, localId } = entry.message
      if (state === 'failed' || state === 'sent') continue
      const conversation = conversationOf(to)
      if (seen.has(conversation)) continue
      seen.add(conversation)
      if (this.#attempts.has(conversation)) continue
      if (this.#isTooOld(entry)) {
        this.#fail(localId, 'RESULT_UNKNOWN', 'It is unknown whether the message was sent')
        seen.delete(conversation)
        continue
      }
      void this.#attempt(conversation, entry, entry.queueId ?? queueId)
    }
  }

  async #attempt(
    conversation: string,
    { message: { localId, to, content }, firstAttemptAt }: OutboxEntry,
    queueId: string,
  ): Promise<void> {
    const attempt = this.#attempts.begin(conversation, localId)
    const now = this.#options.environment.now()
    this.#list.change(localId, {
      queueId,
      firstAttemptAt: firstAttemptAt ?? now,
      message: { state: 'sending' },
    })
    // Before the request: a page that is left meanwhile must send it with the same key.
    if (firstAttemptAt === undefined) this.#save()
    const place =
      'channel' in to
        ? { type: 'channel' as const, to: to.channel, topic: to.topic }
        : { type: 'direct' as const, to: to.direct }
    const key = { queue_id: queueId, local_id: localId }
    const params = { ...place, content, read_by_sender: true, ...key }
    const outcome = await this.#options.api
      .sendMessage(params, { signal: attempt.ending.signal })
      .catch((error: unknown) => ({ error }))
    // It was ended, or the event of the message was faster.
    if (!this.#attempts.isPresent(conversation, attempt)) return
    this.batch(() => {
      if ('error' in outcome && isTemporary(outcome.error)) {
        this.#delay(conversation, attempt, outcome.error)
        return
      }
      this.#attempts.delete(conversation)
      if ('id' in outcome) this.#sent(localId, outcome.id)
      else this.#refuse(localId, outcome.error)
      this.#work()
    })
  }

  #sent(localId: string, messageId: number): void {
    this.#backoff.reset()
    this.#list.change(localId, { messageId, message: { state: 'sent' } })
    this.#save()
    this.#arrivals.answered(messageId)
  }

  #refuse(localId: string, error: unknown): void {
    if (error instanceof ApiError && error.status === 401) {
      this.#isSignedOut = true
      this.#list.change(localId, { message: { state: 'waiting' } })
      return
    }
    const code = error instanceof ApiError ? error.code : 'BAD_REQUEST'
    this.#fail(localId, code, error instanceof Error ? error.message : String(error))
  }

  #fail(localId: string, code: string, message: string): void {
    this.#list.change(localId, { message: { state: 'failed', error: { code, message } } })
    this.#save()
  }

  #delay(conversation: string, attempt: Attempt, error: unknown): void {
    const isUnanswered = !(error instanceof ApiError && error.status === 429)
    this.#postpone(attempt.localId, isUnanswered)
    const retryAfter = retryAfterOf(error)
    attempt.isLimited = retryAfter !== undefined
    const milliseconds = retryAfter ?? this.#backoff.next()
    this.#attempts.delay(conversation, attempt, milliseconds, () => this.batch(() => this.#work()))
  }

  #postpone(localId: string, isUnanswered: boolean): void {
    const isUncertain = isUnanswered || this.#list.find(localId)?.isUncertain === true
    this.#list.change(localId, { isUncertain, message: { state: 'waiting' } })
  }

  #save(): void {
    // Before the first registration, it is unknown whose messages are stored.
    if (this.#userId !== undefined) this.#stored.save(this.#userId, this.#list.entries)
  }
}
