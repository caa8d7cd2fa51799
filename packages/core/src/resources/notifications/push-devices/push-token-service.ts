import { inject } from 'tsyringe'

import { Quotas } from '../../../domain/quotas.js'
import type { Actor } from '../../../domain/users/actor.js'
import { badRequest } from '../../../errors/index.js'
import type { Logger } from '../../../kernel/logger.js'
import { perServer } from '../../../kernel/per-server.js'
import { LoggerToken } from '../../../kernel/tokens.js'
import { UnitOfWork, type Transaction } from '../../../storage/index.js'
import type { KeyReplacedStep } from '../../people/users/index.js'
import { PushSetup, type PushToken } from '../push-relay/index.js'
import { PushDeviceOwners } from './push-device-owners.js'
import { PushTokenRepository } from './push-token-repository.js'
import { pushTokens } from './push-devices-table.js'

const maxTokenLength = 4096
/** Maximum length of Apple's bundle ids. */
const maxAppIdLength = 155

/** Manages the push service tokens of users' devices. */
@perServer()
export class PushTokenService implements KeyReplacedStep {
  readonly #underWay = new Set<Promise<void>>()

  constructor(
    @inject(PushTokenRepository) private readonly tokens: PushTokenRepository,
    @inject(PushDeviceOwners) private readonly owners: PushDeviceOwners,
    @inject(PushSetup) private readonly setup: PushSetup,
    @inject(Quotas) private readonly quotas: Quotas,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(LoggerToken) private readonly logger: Logger,
  ) {}

  /**
   * Adds a token, or does nothing if the actor already has it. Registers it at the relay first.
   *
   * @param appId the iOS application's id; null for FCM.
   * @param realmUrl the origin at which the device reached the server.
   * @throws {ChatError} `BAD_REQUEST` if the token or the id is malformed, and the errors that the
   *   relay's failures map to.
   */
  async add(actor: Actor, token: PushToken, appId: string | null, realmUrl: string): Promise<void> {
    requireAppId(appId)
    requireToken(token)
    const { relay, signal } = this.setup
    if (relay !== undefined) {
      const user = await this.setup.identify(actor.organizationId, actor.userId)
      await this.#ask(actor, () => relay.registerToken(user, token, appId, signal))
    }
    await this.#insert(actor, token, realmUrl)
  }

  /**
   * Removes a token. With a relay, the relay decides whether the token existed.
   *
   * @throws {ChatError} `BAD_REQUEST` if the token is malformed or the actor does not have it, and
   *   the errors that the relay's failures map to.
   */
  async remove(actor: Actor, token: PushToken): Promise<void> {
    requireToken(token)
    const existed = await this.unitOfWork.runFor(actor, async (tx) => {
      this.owners.noteChange(tx, actor.userId)
      return this.tokens.delete(tx, { user_id: actor.userId, ...token })
    })
    const { relay, signal } = this.setup
    if (relay === undefined) {
      if (!existed) throw badRequest('PUSH_TOKEN_UNKNOWN')
      return
    }
    const user = await this.setup.identify(actor.organizationId, actor.userId)
    await this.#ask(actor, () => relay.unregisterToken(user, token, signal))
  }

  /**
   * Deletes all tokens, because a client that used the old API key must not get further
   * notifications.
   */
  async keyReplaced(tx: Transaction, userId: number): Promise<void> {
    const { organizationId } = tx
    if ((await tx.rows(pushTokens).delete({ user_id: userId })) > 0)
      this.owners.noteChange(tx, userId)
    if (this.setup.relay === undefined) return
    tx.afterCommit(() => {
      const running = this.#unregisterAll(organizationId, userId).finally(() => {
        this.#underWay.delete(running)
      })
      this.#underWay.add(running)
    })
  }

  /** Resolves when no request to the relay is running in the background. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
  }

  async #insert(actor: Actor, { token, kind }: PushToken, realmUrl: string): Promise<void> {
    const { userId } = actor
    const key = { user_id: userId, kind, token }
    await this.unitOfWork.runFor(actor, async (tx) => {
      if (await this.tokens.has(tx, key)) return
      const present = await tx.rows(pushTokens).count({ user_id: userId })
      this.quotas.require('pushDevicesPerUser', present + 1)
      await this.tokens.insert(tx, { ...key, realm_url: realmUrl })
      this.owners.noteChange(tx, userId)
    })
  }

  async #unregisterAll(organizationId: number, userId: number): Promise<void> {
    try {
      const user = await this.setup.identify(organizationId, userId)
      await this.setup.relay?.unregisterAllTokens(user, this.setup.signal)
    } catch (error) {
      // The key is replaced anyway: tokens that are left at the relay are no longer used.
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

/** Bundle ids consist of letters, digits and hyphens, in parts separated by dots. */
function requireAppId(appId: string | null): void {
  if (appId === null) return
  const isBundleId = /^[a-zA-Z0-9-]+(\.[a-zA-Z0-9-]+)*$/.test(appId)
  if (!isBundleId || appId.length > maxAppIdLength) throw badRequest('PUSH_APP_ID_INVALID')
}

function requireToken({ token, kind }: PushToken): void {
  if (token === '' || token.length > maxTokenLength) {
    throw badRequest('PUSH_TOKEN_WRONG_LENGTH')
  }
  if (kind === 1 && !/^([0-9a-fA-F]{2})+$/.test(token)) throw badRequest('PUSH_TOKEN_NOT_APNS')
  // The format of FCM tokens is not specified; they are printable ASCII, as in a header.
  if (kind === 2 && !/^[!-~]+$/.test(token)) throw badRequest('PUSH_TOKEN_NOT_FCM')
}
