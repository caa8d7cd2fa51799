import type { IncomingMessage } from 'node:http'

import type { ContentKind } from '../../domain/messages/content-kinds.js'
import { isApplication, isSpectator, type Actor } from '../../domain/users/actor.js'
import type { Logger } from '../../kernel/logger.js'
import { similarName } from '../../kernel/similar-name.js'

/** The user whose call a hook sees. */
export interface HookUser {
  /** The user's id in the chat. */
  readonly id: number
  /** The application's id of the user; null for bots, and for users whom it has not identified. */
  readonly externalId: string | null
  readonly email: string
  readonly fullName: string
  /** 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest. */
  readonly role: number
  readonly isBot: boolean
}

/** The caller and the organization of a call that a hook sees. */
export interface HookCaller {
  /** Undefined for the application itself, and for visitors without an account. */
  readonly user: HookUser | undefined
  /** Whether it is a call through `chat.asSystem`. */
  readonly isApplication: boolean
  readonly organizationId: number
  /** The `subdomain` of the organization; empty for the only one. */
  readonly organization: string
  /** The request of `node:http`; undefined for calls in the application's process. */
  readonly request: IncomingMessage | undefined
}

/** A call of any operation, as hooks see it. */
export interface HookCall extends HookCaller {
  /** The operation, by its name in `chat.as().api`, such as `sendMessage`. */
  readonly operation: string
  /** The parameters, checked, with their defaults. Frozen: a hook returns the ones to change. */
  readonly params: Readonly<Record<string, unknown>>
}

/** A text that others will read, as hooks see it. */
export interface ContentCall extends HookCaller {
  readonly kind: ContentKind
  readonly text: string
  /**
   * The operation that the text is a parameter of, such as `sendMessage`; undefined for the reply of
   * an outgoing webhook bot, whose `user` is the bot.
   */
  readonly operation: string | undefined
}

/** Returns the text that replaces it, or nothing to keep it. */
export type ContentHook = (call: ContentCall) => Promise<string | void> | string | void

type Hook = (call: never) => unknown
type Moment = 'before' | 'after'

interface Dependencies {
  /** The operations that hooks may name, as methods. */
  readonly names: readonly string[]
  readonly findUser: (actor: Actor) => Promise<HookUser | undefined>
  readonly logger: Logger
}

/** The application's hooks of operations, and of the texts in them. */
export class OperationHooks {
  readonly #dependencies: Dependencies
  readonly #names: ReadonlySet<string>
  /** A name is only present while it has hooks. */
  readonly #hooks: Readonly<Record<Moment, Map<string, Set<Hook>>>> = {
    before: new Map(),
    after: new Map(),
  }

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
    this.#names = new Set(dependencies.names)
  }

  /**
   * @returns a function that removes the hook.
   * @throws {TypeError} if there is no operation of that name, or the hook is not a function.
   */
  add(moment: Moment, name: string, hook: Hook): () => void {
    const place = `chat.${moment}`
    if (!this.#names.has(name) && !(moment === 'before' && name === 'content')) {
      const others = moment === 'before' ? ", and 'content'" : ''
      const meant = similarName(name, [...this.#names])
      const remedy =
        meant === undefined
          ? `, only the operations of chat.as().api, such as 'sendMessage'${others}`
          : `. Did you mean '${meant}'?`
      throw new TypeError(`${place}: there is no '${name}'${remedy}`)
    }
    if (typeof hook !== 'function') throw new TypeError(`${place}: needs a function to call`)
    const map = this.#hooks[moment]
    // An own function, so that the same one can be added twice.
    const added: Hook = (call) => hook(call)
    map.set(name, new Set([...(map.get(name) ?? []), added]))
    return () => {
      const rest = [...(map.get(name) ?? [])].filter((other) => other !== added)
      if (rest.length === 0) map.delete(name)
      else map.set(name, new Set(rest))
    }
  }

  has(moment: Moment, name: string): boolean {
    return this.#hooks[moment].has(name)
  }

  get hasContentHooks(): boolean {
    return this.has('before', 'content')
  }

  async callerOf(
    actor: Actor | undefined,
    { id, subdomain }: { readonly id: number; readonly subdomain: string },
    request: IncomingMessage | undefined,
  ): Promise<HookCaller> {
    const hasAccount = actor !== undefined && !isSpectator(actor) && !isApplication(actor)
    return {
      user: hasAccount ? await this.#dependencies.findUser(actor) : undefined,
      isApplication: actor !== undefined && isApplication(actor),
      organizationId: id,
      organization: subdomain,
      request,
    }
  }

  /**
   * Runs the hooks before an operation, one after the other.
   *
   * @param check validates the changes of a hook; returns all parameters.
   * @throws the error of a hook.
   */
  async before(
    call: HookCall,
    check: (
      params: Readonly<Record<string, unknown>>,
      changes: Readonly<Record<string, unknown>>,
    ) => Record<string, unknown>,
  ): Promise<Readonly<Record<string, unknown>>> {
    let { params } = call
    for (const hook of this.#hooks.before.get(call.operation) ?? []) {
      const seen: HookCall = { ...call, params: Object.freeze(structuredClone(params)) }
      const changes = await invoke(hook, seen)
      if (changes === undefined || changes === null) continue
      if (typeof changes !== 'object' || Array.isArray(changes)) {
        throw new TypeError(
          `chat.before: the hook of ${call.operation} must return an object of changed parameters, or nothing`,
        )
      }
      params = check(params, { ...changes })
    }
    return params
  }

  /** Runs the hooks after an operation. Their failures are only logged. */
  async after(call: HookCall, result: () => unknown): Promise<void> {
    for (const hook of this.#hooks.after.get(call.operation) ?? []) {
      try {
        const params = Object.freeze(structuredClone(call.params))
        const success: HookCall & { readonly result: unknown } = {
          ...call,
          params,
          result: result(),
        }
        await invoke(hook, success)
      } catch (cause) {
        const fields = { operation: call.operation, err: cause }
        this.#dependencies.logger.error('A hook after an operation threw', fields)
      }
    }
  }

  /** Runs the hooks of content; each gets the text that the one before it returned. */
  async replaceText(call: ContentCall): Promise<string> {
    let { text } = call
    for (const hook of this.#hooks.before.get('content') ?? []) {
      const replacement = await invoke(hook, { ...call, text })
      if (replacement === undefined || replacement === null) continue
      if (typeof replacement !== 'string') {
        throw new TypeError('chat.before: a hook of content must return a text, or nothing')
      }
      text = replacement
    }
    return text
  }

  close(): void {
    this.#hooks.before.clear()
    this.#hooks.after.clear()
  }
}

/** The types of `chat.before` and `chat.after` relate each name to the call that its hooks get. */
function invoke(hook: Hook, call: HookCall | ContentCall): unknown {
  // The overloads of `add`'s callers relate them.
  return hook(call as never)
}
