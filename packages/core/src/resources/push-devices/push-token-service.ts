import { inject } from 'tsyringe'

import type { Actor } from '../../domain/actor.js'
import { badRequest } from '../../errors/index.js'
import type { Logger } from '../../kernel/logger.js'
import { perServer } from '../../kernel/per-server.js'
import { LoggerToken } from '../../kernel/tokens.js'
import { Database, UnitOfWork, type Transaction } from '../../storage/index.js'
import { PushSetup, type PushToken } from '../push-relay/index.js'
import type { AccountStep } from '../users/index.js'
import { PushDeviceOwners } from './push-device-owners.js'
import { PushTokenRepository } from './push-token-repository.js'

const maxTokenLength = 4096
/** The longest bundle id that Apple gives. */
const maxAppIdLength = 155

/** Keeps the tokens under which push services know users' devices. */
@perServer()
export class PushTokenService implements AccountStep {
  readonly #underWay = new Set<Promise<void>>()

  constructor(
    @inject(PushTokenRepository) private readonly tokens: PushTokenRepository,
    @inject(PushDeviceOwners) private readonly owners: PushDeviceOwners,
    @inject(PushSetup) private readonly setup: PushSetup,
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(LoggerToken) private readonly logger: Logger,
  ) {}

  /**
   * Adds a token, or does nothing if the actor has it already. The relay learns of it first.
   *
   * @param appId the iOS application's id; null for FCM.
   * @param realmUrl where the device reached the server.
   * @throws {ChatError} `BAD_REQUEST` if the token or the id is malformed, and what the relay's
   *   failures stand for.
   */
  async add(actor: Actor, token: PushToken, appId: string | null, realmUrl: string): Promise<void> {
    requireAppId(appId)
    requireToken(token)
    const { relay, signal } = this.setup
    if (relay !== undefined) {
      const user = await this.setup.identify(actor.organizationId, actor.userId)
      await this.#ask(actor, () => relay.registerToken(user, token, appId, signal))
    }
    await this.#insert(actor, token, appId, realmUrl)
  }

  /**
   * Removes a token. With a relay, whether there was one is the relay's answer.
   *
   * @throws {ChatError} `BAD_REQUEST` if the token is malformed or the actor does not have it, and
   *   what the relay's failures stand for.
   */
  async remove(actor: Actor, token: PushToken): Promise<void> {
    requireToken(token)
    const existed = await this.unitOfWork.runFor(actor, async (tx) => {
      this.owners.noteChange(tx, actor.userId)
      return this.tokens.delete(tx, { user_id: actor.userId, ...token })
    })
    const { relay, signal } = this.setup
    if (relay === undefined) {
      if (!existed) throw badRequest('Token does not exist')
      return
    }
    const user = await this.setup.identify(actor.organizationId, actor.userId)
    await this.#ask(actor, () => relay.unregisterToken(user, token, signal))
  }

  /** Whoever holds the old key should not hear of new messages: all tokens go with it. */
  async keyReplaced(tx: Transaction, userId: number): Promise<void> {
    const { organizationId } = tx
    if (await this.tokens.deleteAll(tx, userId)) this.owners.noteChange(tx, userId)
    if (this.setup.relay === undefined) return
    tx.afterCommit(() => {
      const running = this.#unregisterAll(organizationId, userId).finally(() => {
        this.#underWay.delete(running)
      })
      this.#underWay.add(running)
    })
  }

  /** Resolves when no relay is asked for anything in the background. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
  }

  async #insert(
    actor: Actor,
    { token, kind }: PushToken,
    appId: string | null,
    realmUrl: string,
  ): Promise<void> {
    const { userId } = actor
    const key = { user_id: userId, kind, token }
    try {
      await this.unitOfWork.runFor(actor, async (tx) => {
        if (await this.tokens.has(tx, key)) return
        await this.tokens.insert(tx, { ...key, app_id: appId, realm_url: realmUrl })
        this.owners.noteChange(tx, userId)
      })
    } catch (error) {
      // The same device has just added the same token.
      if (!this.database.dialect.isUniqueViolation(error)) throw error
    }
  }

  async #unregisterAll(organizationId: number, userId: number): Promise<void> {
    try {
      const user = await this.setup.identify(organizationId, userId)
      await this.setup.relay?.unregisterAllTokens(user, this.setup.signal)
    } catch (error) {
      // The key is replaced all the same; the relay keeps tokens that nothing is sent to.
      this.logger.warn('The push relay could not be told to forget tokens', { err: error })
    }
  }

  async #ask(actor: Actor, call: () => Promise<void>): Promise<void> {
    try {
      await call()
    } catch (error) {
      throw await this.setup.explain(actor.organizationId, error)
    }
  }
}

/** Bundle ids are letters, digits and dashes in parts that dots separate. */
function requireAppId(appId: string | null): void {
  if (appId === null) return
  const isBundleId = /^[a-zA-Z0-9-]+(\.[a-zA-Z0-9-]+)*$/.test(appId)
  if (!isBundleId || appId.length > maxAppIdLength) throw badRequest('Invalid app ID')
}

function requireToken({ token, kind }: PushToken): void {
  if (token === '' || token.length > maxTokenLength) {
    throw badRequest('Empty or invalid length token')
  }
  if (kind === 1 && !/^([0-9a-fA-F]{2})+$/.test(token)) throw badRequest('Invalid APNS token')
  // Firebase promises no form; whatever it gives can stand in a header.
  if (kind === 2 && !/^[!-~]+$/.test(token)) throw badRequest('Invalid FCM token')
}
