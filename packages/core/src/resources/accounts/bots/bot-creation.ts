import { inject } from 'tsyringe'

import { BotType, type Actor } from '../../../domain/users/actor.js'
import { normalizeFullName } from '../../../domain/users/full-name.js'
import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, standInDomain, type ServerFacts } from '../../../kernel/server-facts.js'
import { Database, UnitOfWork, type OrganizationScope } from '../../../storage/index.js'
import { AvatarImages } from '../../files/avatars/index.js'
import type { UploadedImage } from '../../files/images/index.js'
import { BotManagerRepository, UserService } from '../../people/users/index.js'
import { BotQuotas, FreeAddresses, UniqueNames } from '../user-administration/index.js'
import { botAdded, type ManagedBot } from './bot-events.js'
import { BotRepository, type BotDetails } from './bot-repository.js'
import {
  botEmail,
  BotRules,
  onlyAvatar,
  requireServiceInterface,
  requireServiceUrl,
  type RequestedDefaults,
} from './bot-rules.js'
import { BotView } from './bot-view.js'
import { ServiceTokens } from './service-tokens.js'

/** The properties of a new bot. */
export interface NewBot {
  readonly fullName: string
  readonly shortName: string
  readonly type: number
  readonly serviceUrl: string
  readonly serviceInterface: number
  readonly defaults: RequestedDefaults
  /** The files of the request; at most one is allowed. */
  readonly avatars: readonly UploadedImage[]
}

/** Creates bots for users. */
@perServer()
export class BotCreation {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(BotQuotas) private readonly quotas: BotQuotas,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(BotManagerRepository) private readonly managers: BotManagerRepository,
    @inject(UserService) private readonly service: UserService,
    @inject(UniqueNames) private readonly names: UniqueNames,
    @inject(FreeAddresses) private readonly addresses: FreeAddresses,
    @inject(BotRepository) private readonly bots: BotRepository,
    @inject(BotRules) private readonly rules: BotRules,
    @inject(AvatarImages) private readonly images: AvatarImages,
    @inject(BotView) private readonly view: BotView,
    @inject(ServiceTokens) private readonly serviceTokens: ServiceTokens,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /**
   * Creates a bot of `actor` and sends it to all users; those who manage it get the details, and its
   * owner the key.
   *
   * @throws {ChatError} `BAD_REQUEST` if `actor` is not allowed to, or a value is invalid or taken;
   *   `BAD_IMAGE` if its picture is not an image.
   */
  async create(actor: Actor, newBot: NewBot): Promise<ManagedBot> {
    const scope = this.database.read(actor.organizationId)
    const fullName = normalizeFullName(newBot.fullName)
    const email = botEmail(newBot.shortName, standInDomain(this.facts))
    await this.#requireFree(scope, email, fullName)
    await this.rules.requireCreation(actor, newBot.type)
    requireServiceInterface(newBot.serviceInterface)
    const details: Partial<BotDetails> = {
      ...(await this.rules.resolveDefaults(scope, actor, newBot.defaults)),
      ...this.#serviceOf(newBot),
    }
    const image = onlyAvatar(newBot.avatars)
    const copies = image === undefined ? undefined : await this.images.copies(image)
    const { type } = newBot
    return this.unitOfWork.runFor(actor, async (tx) => {
      // The name or the address may have been taken meanwhile.
      await this.#requireFree(tx, email, fullName)
      await this.quotas.requireAnother(tx, actor.userId, { isActive: true })
      const bot = { type, ownerId: actor.userId }
      const row = await this.service.createWithin(tx, {
        email,
        fullName,
        bot,
        avatarName: copies?.name,
      })
      if (copies !== undefined) await this.images.write(tx, copies)
      if (Object.keys(details).length > 0) await this.bots.change(tx, row.id, details)
      const managerIds = await this.managers.list(tx, row)
      for (const { userIds, bots } of await this.view.describeFor(tx, [row], managerIds)) {
        for (const described of bots) tx.emit(botAdded({ userIds }, { bot: described }))
      }
      return this.view.describeOne(tx, row, actor)
    })
  }

  #serviceOf({ type, serviceUrl, serviceInterface }: NewBot): Partial<BotDetails> {
    if (type !== BotType.outgoingWebhook) return {}
    return {
      service_base_url: requireServiceUrl('payload_url', serviceUrl),
      service_interface: serviceInterface,
      service_token_sealed: this.serviceTokens.toStored(),
    }
  }

  async #requireFree(scope: OrganizationScope, email: string, fullName: string): Promise<void> {
    if ((await this.addresses.problemOf(scope, email, 0)) !== undefined) {
      throw badRequest('EMAIL_ADDRESS_TAKEN')
    }
    if (await this.bots.isNameInUse(scope, fullName, 0)) throw badRequest('USER_NAME_TAKEN')
    await this.names.require(scope, fullName, 0)
  }
}
