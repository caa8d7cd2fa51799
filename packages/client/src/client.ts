import type { ChatApi, NarrowTerm, RegisterQueueParams, UploadFileResult } from './api.js'
import type { CallOptions, FileToUpload } from './call.js'
import { Connection } from './connection.js'
import type { ConnectionEvents } from './connection-events.js'
import { Authorization, type Credentials } from './credentials.js'
import type { Destination } from './destination.js'
import { presentEnvironment, type Environment, type SocketConstructor } from './environment.js'
import { Http } from './http.js'
import { LiveStore } from './store/live-store.js'
import type { MessageListOptions } from './store/message-list.js'
import { storeRegistration } from './store/registered.js'
import type { ChatStore, MessageList } from './store/state.js'
import type { LogEntry } from './log.js'
import type { Outbox, OutboxStorage } from './pending-message.js'
import { Sending } from './sending.js'
import { Visits } from './visits.js'

export interface ClientOptions {
  /** Address of the chat, such as `https://product.example`, with the base path if there is one. */
  readonly url: string
  /** @default the product's session: `{ type: 'session' }` */
  readonly credentials?: Credentials
  /** The name that the server notes as the client. @default that of the browser or of Node.js */
  readonly userAgent?: string
  /** A call that takes longer fails; not less than the server's heartbeats. @default 90,000 */
  readonly timeoutMilliseconds?: number
  /** @default the `fetch` of the page or process */
  readonly fetch?: typeof fetch
  /**
   * Node.js before 22 has none: give it that of the package `ws`. Without it, events come by long
   * polls. @default the `WebSocket` of the page or process
   */
  readonly WebSocket?: SocketConstructor
  /**
   * Where messages that are not sent survive a reload; for one client at a time.
   * @default they do not
   */
  readonly storage?: OutboxStorage
  /**
   * Called with errors of listeners and of the storage, and with the reason why events could not be
   * applied, after which the client registers again.
   * @default in browsers `reportError`, which shows them in the console. In Node.js, an error of a
   * listener or of the storage is an uncaught exception, and the rest is in the log only
   */
  readonly onError?: (error: unknown) => void
  /**
   * Called for each call, change of the connection and batch of events, without texts of messages.
   * @default nothing is logged
   */
  readonly log?: (entry: LogEntry) => void
}

/** A client of one chat server, for one user. */
export class ChatClient {
  /** Every operation of the API as a method. */
  readonly api: ChatApi
  /** The messages that are being sent. They are sent while the client is open. */
  readonly outbox: Outbox
  readonly #sending: Sending
  readonly #environment: Environment
  readonly #url: string
  readonly #store: LiveStore
  readonly #connection: Pick<Connection, 'open' | 'retryNow' | 'close'>

  /** @throws {TypeError} if `url` is not one of HTTP. */
  constructor(options: ClientOptions) {
    const url = new URL(options.url)
    if (!/^https?:$/.test(url.protocol)) throw new TypeError(`${options.url} is not a URL of HTTP`)
    const { fetch, WebSocket, onError, log } = options
    const present = presentEnvironment()
    const failed = (error: unknown): void => {
      try {
        if (onError === undefined) present.report(error)
        else onError(error)
      } catch (thrown) {
        present.report(thrown)
      }
    }
    this.#environment = {
      ...present,
      log: (action) => {
        try {
          log?.({ atMilliseconds: present.now(), ...action })
        } catch (error) {
          failed(error)
        }
      },
      report: failed,
      // Browsers refuse to call their `fetch` as a method of another object.
      ...(fetch !== undefined && { fetch: (...call) => fetch(...call) }),
      ...(WebSocket !== undefined && { WebSocket }),
    }
    this.#url = `${url.origin}${url.pathname.replace(/\/+$/, '')}`
    const credentials = options.credentials ?? { type: 'session' }
    const isVisitor = credentials.type === 'visitor'
    this.api = new Http({
      url: this.#url,
      authorization: new Authorization(credentials),
      environment: this.#environment,
      timeoutMilliseconds: options.timeoutMilliseconds ?? 90_000,
      userAgent: options.userAgent,
    }).api
    this.#store = new LiveStore({
      api: this.api,
      environment: this.#environment,
      onError: failed,
      isVisitor,
    })
    this.#sending = new Sending({
      api: this.api,
      environment: this.#environment,
      storage: options.storage,
      failed,
    })
    this.outbox = this.#sending.outbox
    if (isVisitor) {
      const store = this.#store
      this.#connection = new Visits(this.api, this.#environment, store)
      return
    }
    this.#connection = this.connection(storeRegistration, {
      registered: (registration) => {
        this.#store.registered(registration)
        this.#sending.registered(registration)
      },
      received: (events) => this.#sending.received(events, () => this.#store.received(events)),
      changed: (state) => {
        this.#store.changed(state)
        this.#sending.changed(state)
      },
      // It is repaired, so it must not end a process without `onError`.
      failed: (error) => {
        if (onError !== undefined || present.showsErrors) failed(error)
      },
    })
  }

  /** The state of the chat, empty until the server has sent it after {@link open}. */
  get store(): ChatStore {
    return this.#store
  }

  /** Opens the connection that keeps the store current. Nothing happens if it is open. */
  open(): void {
    this.#connection.open()
  }

  /** Tries to connect at once, if it is waiting to do so; for a visitor, reads everything again. */
  retryNow(): void {
    this.#connection.retryNow()
  }

  /**
   * The user has typed something in a message to a channel or to users. Others are notified as the
   * server and the user's settings say, until the user pauses or sends the message.
   */
  typing(to: Destination): void {
    this.#sending.typing.typed(to)
  }

  /** The user has done something: call it for keys, clicks and touches. */
  active(): void {
    this.#sending.presence.active()
  }

  /**
   * Uploads a file; at most three at the same time, and the others wait.
   *
   * @throws {FileTooLargeError} if it is larger than the server takes; nothing is sent then.
   * @throws {ApiError | ConnectionError} as calls do.
   */
  upload(file: FileToUpload, options: CallOptions = {}): Promise<UploadFileResult> {
    return this.#sending.uploads.upload(file, options)
  }

  /** Disconnects. Leaves no timer, listener or connection; the store keeps its last state. */
  async close(): Promise<void> {
    await Promise.all([this.#sending.close(), this.#connection.close()])
  }

  /**
   * A list of messages, empty until {@link MessageList.load}. It may be loaded before the store has
   * its state.
   *
   * @param narrow a filter: only messages that match all of its terms.
   */
  messages(narrow: readonly NarrowTerm[], options: MessageListOptions = {}): MessageList {
    return this.#store.list(narrow, options)
  }

  /** A connection for events, which is not open yet. */
  connection(registration: RegisterQueueParams, events: ConnectionEvents): Connection {
    const options = { url: this.#url, registration }
    return new Connection(this.api, this.#environment, options, events)
  }
}
