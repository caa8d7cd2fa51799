import { inject } from 'tsyringe'

import { BotType, type Actor } from '../../domain/actor.js'
import { normalizeFullName } from '../../domain/full-name.js'
import { badRequest } from '../../errors/index.js'
import { perServer } from '../../kernel/per-server.js'
import { randomAlphanumeric } from '../../kernel/random.js'
import { ServerFactsToken, standInDomain, type ServerFacts } from '../../kernel/server-facts.js'
import { Database, UnitOfWork, type OrganizationScope } from '../../storage/index.js'
import { AvatarImages } from '../avatars/index.js'
import type { UploadedImage } from '../images/index.js'
import { FreeAddresses, UniqueNames } from '../user-administration/index.js'
import { BotManagerRepository, UserService } from '../users/index.js'
import { botAdded } from './bot-events.js'
import { BotRepository, type BotDetails } from './bot-repository.js'
import {
  botEmail,
  BotRules,
  onlyAvatar,
  requireServiceInterface,
  requireServiceUrl,
  type WantedDefaults,
} from './bot-rules.js'
import type { ManagedBot } from './bot-schemas.js'
import { BotView } from './bot-view.js'

/** Characters. */
export const serviceTokenLength = 32

/** What is wanted of a new bot. */
export interface NewBot {
  readonly fullName: string
  readonly shortName: string
  readonly type: number
  readonly serviceUrl: string
  readonly serviceInterface: number
  readonly defaults: WantedDefaults
  /** The files of the request, of which there may be one. */
  readonly avatars: readonly UploadedImage[]
}

/** Lets people have bots. */
@perServer()
export class BotCreation {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(BotManagerRepository) private readonly managers: BotManagerRepository,
    @inject(UserService) private readonly service: UserService,
    @inject(UniqueNames) private readonly names: UniqueNames,
    @inject(FreeAddresses) private readonly addresses: FreeAddresses,
    @inject(BotRepository) private readonly bots: BotRepository,
    @inject(BotRules) private readonly rules: BotRules,
    @inject(AvatarImages) private readonly images: AvatarImages,
    @inject(BotView) private readonly view: BotView,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /**
   * Creates a bot of `actor` and tells everyone; those who manage it also learn its key.
   *
   * @throws {ChatError} `BAD_REQUEST` if `actor` may not, or a value is wrong or taken;
   *   `BAD_IMAGE` if its picture is none.
   */
  async create(actor: Actor, wanted: NewBot): Promise<ManagedBot> {
    const scope = this.database.read(actor.organizationId)
    const fullName = normalizeFullName(wanted.fullName)
    const email = botEmail(wanted.shortName, standInDomain(this.facts))
    await this.#requireFree(scope, email, fullName)
    await this.rules.requireCreation(actor, wanted.type)
    requireServiceInterface(wanted.serviceInterface)
    const details: Partial<BotDetails> = {
      ...(await this.rules.resolveDefaults(scope, actor, wanted.defaults)),
      ...serviceOf(wanted),
    }
    const image = onlyAvatar(wanted.avatars)
    const copies = image === undefined ? undefined : await this.images.copies(image)
    const { type } = wanted
    return this.unitOfWork.runFor(actor, async (tx) => {
      // Somebody may have taken the name or the address meanwhile.
      await this.#requireFree(tx, email, fullName)
      const bot = { type, ownerId: actor.userId }
      const row = await this.service.createWithin(tx, {
        email,
        fullName,
        bot,
        avatarSource: copies === undefined ? 'G' : 'U',
      })
      if (copies !== undefined) await this.images.write(tx, row, copies)
      if (Object.keys(details).length > 0) await this.bots.change(tx, row.id, details)
      const described = await this.view.describeOne(tx, row, actor)
      const userIds = await this.managers.list(tx, row)
      tx.emit(botAdded({ userIds }, { bot: described }))
      return described
    })
  }

  async #requireFree(scope: OrganizationScope, email: string, fullName: string): Promise<void> {
    if ((await this.addresses.problemOf(scope, email, 0)) !== undefined) {
      throw badRequest('Email is already in use.')
    }
    if (await this.bots.isNameInUse(scope, fullName, 0)) throw badRequest('Name is already in use.')
    await this.names.require(scope, fullName, 0)
  }
}

function serviceOf({ type, serviceUrl, serviceInterface }: NewBot): Partial<BotDetails> {
  if (type !== BotType.outgoingWebhook) return {}
  return {
    service_base_url: requireServiceUrl('payload_url', serviceUrl),
    service_interface: serviceInterface,
    service_token: randomAlphanumeric(serviceTokenLength),
  }
}
