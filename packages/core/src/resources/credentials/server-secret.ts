import type { InjectionToken } from 'tsyringe'

import { randomToken } from '../../kernel/random.js'
import type { ServerSecretRepository } from './server-secret-repository.js'

/** Gives the secret once the server has started. */
export const ServerSecretToken: InjectionToken<{ value(): string }> = Symbol('ServerSecret')

/** The secret under which API keys are sealed: the application's, or one that the database keeps. */
export class ServerSecret {
  #value: string | undefined

  constructor(
    private readonly repository: ServerSecretRepository,
    configured: string | undefined,
  ) {
    this.#value = configured
  }

  /** Reads or makes the kept secret where the application has not given one. */
  async load(): Promise<void> {
    this.#value ??= await this.repository.findOrInsert('seal', randomToken(32))
  }

  /** @throws {Error} if the server has not started yet. */
  value(): string {
    if (this.#value === undefined) throw new Error('Call start() before using the chat server')
    return this.#value
  }
}
