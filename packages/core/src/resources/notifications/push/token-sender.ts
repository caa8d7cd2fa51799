import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/users/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { UnitOfWork } from '../../../storage/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { PushDeviceOwners, PushTokenRepository, type PushTokenRow } from '../push-devices/index.js'
import { PushSetup } from '../push-relay/index.js'

/** A notification for a token device, in the format of each push service. */
export interface TokenPayloads {
  readonly priority: 'high' | 'normal'
  /**
   * For devices that reached the server at this origin; `base` has the notification's origin
   * fields.
   */
  applePayload(base: object, realmUrl: string): object
  androidPayload(base: object, realmUrl: string): object
}

/** Sends notifications that relays and push services can read. */
@perServer()
export class TokenSender {
  constructor(
    @inject(PushTokenRepository) private readonly tokens: PushTokenRepository,
    @inject(PushDeviceOwners) private readonly owners: PushDeviceOwners,
    @inject(PushSetup) private readonly setup: PushSetup,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /**
   * Requests a test notification from the relay; does nothing without a relay.
   *
   * @throws {PushRelayError} if the relay fails.
   */
  async sendTest({ organizationId, userId }: Actor, row: PushTokenRow): Promise<void> {
    const { relay, signal } = this.setup
    if (relay === undefined) return
    const base = await this.#base(organizationId, userId, this.#realmUrl(row))
    const user = await this.setup.identify(organizationId, userId)
    const { token, kind } = row
    await relay.sendTest(user, { token, kind }, base, signal)
  }

  /**
   * Sends a notification to tokens of one user, and deletes tokens that are no longer registered.
   *
   * @throws {ChatError} `PUSH_SERVICE_NOT_CONFIGURED` if there is no relay.
   * @throws {PushRelayError} if the relay fails.
   */
  async send(
    organizationId: number,
    userId: number,
    rows: readonly PushTokenRow[],
    payloads: TokenPayloads,
  ): Promise<void> {
    const [first] = rows
    if (first === undefined) return
    const relay = this.setup.requireRelay()
    const realmUrl = this.#realmUrl(first)
    const base = await this.#base(organizationId, userId, realmUrl)
    const { server: _, realm_id: __, ...appleBase } = base
    const outcome = await relay.sendToTokens(
      {
        user: await this.setup.identify(organizationId, userId),
        appleTokens: rows.filter(({ kind }) => kind === 1).map(({ token }) => token),
        androidTokens: rows.filter(({ kind }) => kind === 2).map(({ token }) => token),
        applePayload: payloads.applePayload(appleBase, realmUrl),
        androidPayload: payloads.androidPayload(base, realmUrl),
        priority: payloads.priority,
      },
      this.setup.signal,
    )
    await this.setup.note(organizationId, outcome.status)
    const { deletedAppleTokens, deletedAndroidTokens } = outcome
    if (deletedAppleTokens.length + deletedAndroidTokens.length === 0) return
    await this.unitOfWork.run(organizationId, async (tx) => {
      await this.tokens.deleteMany(tx, userId, 1, deletedAppleTokens)
      await this.tokens.deleteMany(tx, userId, 2, deletedAndroidTokens)
      this.owners.noteChange(tx, userId)
    })
  }

  #realmUrl(row: PushTokenRow): string {
    return this.facts.address.url ?? row.realm_url
  }

  /** The origin and the recipient of a notification. */
  async #base(organizationId: number, userId: number, realmUrl: string) {
    const { name } = await this.organizations.require(organizationId)
    return {
      server: new URL(realmUrl).host,
      realm_id: organizationId,
      realm_uri: realmUrl,
      realm_url: realmUrl,
      realm_name: name,
      user_id: userId,
    }
  }
}
