import { entriesOf, keysOf } from '../kernel/objects.js'

/** The actions that hooks of `chat.before` may inspect, change or refuse. */
export interface ChatHooks {
  /** A message is about to be sent; return changed parts, or throw a `ChatError` to refuse it. */
  'messages.send': {
    readonly organizationId: number
    readonly userId: number
    readonly type: 'direct' | 'private' | 'channel' | 'stream'
    readonly to: string | undefined
    readonly topic: string | undefined
    readonly content: string
  }
}

export type ChatHook<Name extends keyof ChatHooks> = (
  draft: ChatHooks[Name],
) => Promise<Partial<ChatHooks[Name]> | void> | Partial<ChatHooks[Name]> | void

type Hooks = { readonly [Name in keyof ChatHooks]: Set<ChatHook<Name>> }

/** The application's hooks. */
export class ApplicationHooks {
  readonly #hooks: Hooks = { 'messages.send': new Set() }

  before<Name extends keyof ChatHooks>(name: Name, hook: ChatHook<Name>): () => void {
    requireCall('chat.before', keysOf(this.#hooks), name, hook)
    return add(this.#hooks[name], hook)
  }

  /** Runs the hooks one after the other; each receives the changes of the ones before it. */
  async ask<Name extends keyof ChatHooks>(
    name: Name,
    draft: ChatHooks[Name],
  ): Promise<ChatHooks[Name]> {
    let current = draft
    for (const hook of this.#hooks[name]) {
      const changes = await hook(current)
      if (changes !== undefined) current = { ...current, ...changes }
    }
    return current
  }

  close(): void {
    for (const [, hooks] of entriesOf(this.#hooks)) hooks.clear()
  }
}

/** Rejects unknown names, which would otherwise never be called. */
function requireCall(
  place: string,
  names: readonly string[],
  name: unknown,
  callback: unknown,
): void {
  if (typeof name !== 'string' || !names.includes(name)) {
    throw new TypeError(`${place}: there is no '${String(name)}', only ${names.join(', ')}`)
  }
  if (typeof callback !== 'function') throw new TypeError(`${place}: needs a function to call`)
}

function add<Item>(set: Set<Item>, item: Item): () => void {
  set.add(item)
  return () => {
    set.delete(item)
  }
}
