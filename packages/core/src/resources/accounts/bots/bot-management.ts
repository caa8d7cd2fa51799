import { inject } from 'tsyringe'

import { BotType, hasRole, type Actor, type Role } from '../../../domain/users/actor.js'
import { normalizeFullName } from '../../../domain/users/full-name.js'
import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { Database, UnitOfWork, type Transaction } from '../../../storage/index.js'
import { OwnApiKey } from '../../access/authentication/index.js'
import { AvatarImages, type AvatarCopies } from '../../files/avatars/index.js'
import type { UploadedImage } from '../../files/images/index.js'
import { ActiveUsers } from '../../organization/organizations/index.js'
import { ApiKeys } from '../../people/credentials/index.js'
import {
  AccountChanges,
  apiEmail,
  BotManagerRepository,
  botUpdated,
  coversRights,
  OwnedBotRepository,
  seesSecrets,
  UserRepository,
  userUpdated,
  type UserRow,
} from '../../people/users/index.js'
import {
  BotQuotas,
  requireAdministrator,
  UniqueNames,
  UserAdministration,
} from '../user-administration/index.js'
import { botAdded, botDeleted, type ManagedBot } from './bot-events.js'
import { BotRepository } from './bot-repository.js'
import { BotRules, onlyAvatar, type RequestedDefaults } from './bot-rules.js'
import { BotSecrets } from './bot-secrets.js'
import { BotView } from './bot-view.js'
import { ServiceTokens } from './service-tokens.js'

/** The changes to a bot; absent properties keep their values. */
export interface BotUpdate {
  readonly fullName?: string | undefined
  readonly role?: Role | undefined
  readonly ownerId?: number | undefined
  readonly defaults: RequestedDefaults
  /** The files of the request; at most one is allowed. */
  readonly avatars: readonly UploadedImage[]
  readonly service?: { readonly url: string; readonly interface: number } | undefined
}

/** Lets users manage their own bots, and administrators the bots that do not outrank them. */
@perServer()
export class BotManagement {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(BotQuotas) private readonly quotas: BotQuotas,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(OwnedBotRepository) private readonly ownedBots: OwnedBotRepository,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(BotManagerRepository) private readonly managers: BotManagerRepository,
    @inject(ActiveUsers) private readonly activeUsers: ActiveUsers,
    @inject(AccountChanges) private readonly changes: AccountChanges,
    @inject(UserAdministration) private readonly administration: UserAdministration,
    @inject(UniqueNames) private readonly names: UniqueNames,
    @inject(OwnApiKey) private readonly keys: OwnApiKey,
    @inject(BotSecrets) private readonly secrets: BotSecrets,
    @inject(ApiKeys) private readonly apiKeys: ApiKeys,
    @inject(BotRepository) private readonly bots: BotRepository,
    @inject(BotRules) private readonly rules: BotRules,
    @inject(AvatarImages) private readonly images: AvatarImages,
    @inject(BotView) private readonly view: BotView,
    @inject(ServiceTokens) private readonly serviceTokens: ServiceTokens,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /** The actor's own active bots that the actor may manage. */
  async listOwn(actor: Actor): Promise<ManagedBot[]> {
    const scope = this.database.read(actor.organizationId)
    const bots = await this.ownedBots.listActiveOf(scope, actor.userId)
    return this.view.describe(
      scope,
      bots.filter((bot) => seesSecrets(actor, bot)),
      actor,
    )
  }

  /**
   * Makes all the changes, or none.
   *
   * @returns the changed bot, and its owner.
   * @throws {ChatError} `BAD_REQUEST` if there is no such bot, or if `actor` or a value is not
   *   allowed; `UNAUTHORIZED_PRINCIPAL` if the change requires a higher role; `BAD_IMAGE` if the
   *   picture is not an image.
   */
  async update(
    actor: Actor,
    id: number,
    update: BotUpdate,
  ): Promise<{ readonly bot: ManagedBot; readonly owner: UserRow | undefined }> {
    const copies = await this.#copies(actor, id, update.avatars)
    return this.unitOfWork.runFor(actor, async (tx) => {
      const bot = await this.rules.lockManaged(tx, actor, id)
      await this.#rename(tx, bot, update.fullName)
      if (update.role !== undefined) {
        await this.administration.changeRole(tx, actor, bot, update.role)
      }
      await this.#changeOwner(tx, actor, id, update.ownerId)
      await this.#changeDetails(tx, actor, id, update)
      if (copies !== undefined) {
        await this.images.replace(tx, await this.users.get(tx, id), copies)
      }
      const changed = await this.users.get(tx, id)
      const owner =
        changed.bot_owner_id === null ? undefined : await this.users.find(tx, changed.bot_owner_id)
      return { bot: await this.view.describeOne(tx, changed, actor), owner }
    })
  }

  /** @throws {ChatError} like {@link update}. */
  async deactivate(actor: Actor, id: number): Promise<void> {
    await this.unitOfWork.runFor(actor, async (tx) => {
      const bot = await this.rules.lockManaged(tx, actor, id)
      if (bot.is_active) await this.changes.deactivate(tx, bot)
    })
  }

  /**
   * Replaces a bot's API key; the old one is no longer valid.
   *
   * @returns the new key; empty if `actor` does not own the bot.
   * @throws {ChatError} like {@link update}.
   */
  async regenerateKey(actor: Actor, id: number): Promise<string> {
    const apiKey = this.apiKeys.create()
    return this.unitOfWork.runFor(actor, async (tx) => {
      const bot = await this.rules.lockManaged(tx, actor, id)
      await this.keys.replace(tx, bot, apiKey)
      return seesSecrets(actor, bot) ? apiKey : ''
    })
  }

  /** The address of a user that is visible to everyone. */
  emailOf(user: UserRow): string {
    return apiEmail(user, this.facts)
  }

  /**
   * Made before the transaction, which does not wait for them, and only for managers of the bot.
   */
  async #copies(
    actor: Actor,
    id: number,
    avatars: readonly UploadedImage[],
  ): Promise<AvatarCopies | undefined> {
    if (avatars.length === 0) return undefined
    await this.rules.requireManaged(this.database.read(actor.organizationId), actor, id)
    const image = onlyAvatar(avatars)
    return image === undefined ? undefined : this.images.copies(image)
  }

  async #rename(tx: Transaction, bot: UserRow, text: string | undefined): Promise<void> {
    if (text === undefined) return
    const fullName = normalizeFullName(text)
    if (fullName === bot.full_name) return
    if (await this.bots.isNameInUse(tx, fullName, bot.id)) {
      throw badRequest('USER_NAME_TAKEN')
    }
    await this.names.require(tx, fullName, bot.id)
    await this.changes.rename(tx, bot, fullName)
  }

  /**
   * Only for administrators: users would otherwise hand bots to users who did not ask for them. The
   * new owner gets new secrets, because the bot can now post where the new owner can.
   */
  async #changeOwner(
    tx: Transaction,
    actor: Actor,
    id: number,
    ownerId: number | undefined,
  ): Promise<void> {
    if (ownerId === undefined) return
    // Read again: the same request may have changed the bot's role and API key.
    const bot = await this.users.get(tx, id)
    if (ownerId === bot.bot_owner_id) return
    requireAdministrator(actor)
    const owner = await this.users.find(tx, ownerId)
    if (owner === undefined) throw badRequest('BOT_OWNER_UNKNOWN')
    if (!owner.is_active) throw badRequest('BOT_OWNER_INACTIVE')
    if (owner.is_bot) throw badRequest('BOT_OWNER_IS_BOT')
    if (!hasRole(actor, owner.role)) throw badRequest('BOT_OWNER_HAS_MORE_PERMISSIONS')
    if (!coversRights(owner, { ...bot, owner_role: owner.role })) {
      throw badRequest('BOT_OWNER_HAS_FEWER_PERMISSIONS')
    }
    await this.quotas.requireAnother(tx, ownerId, { isActive: bot.is_active })
    await this.users.update(tx, bot.id, { bot_owner_id: ownerId })
    const changes = { bot_owner_id: { old: bot.bot_owner_id, new: ownerId } }
    tx.audit({ action: 'bot.owner_changed', objectId: bot.id, changes })
    await this.secrets.replace(tx, bot)
    await this.#emitOwnerChange(tx, bot, owner)
    const audienceId = await this.activeUsers.audience(tx)
    const person = { user_id: bot.id, bot_owner_id: ownerId }
    tx.emit(userUpdated({ audienceId }, { person }))
  }

  /** Administrators manage the bot before and after; other users only while they own it. */
  async #emitOwnerChange(tx: Transaction, before: UserRow, owner: UserRow): Promise<void> {
    const bot = await this.users.get(tx, before.id)
    const user_id = bot.id
    const managersBefore = await this.managers.listManagers(tx, before)
    const managers = await this.managers.listManagers(tx, bot)
    const losing = managersBefore.filter((id) => !managers.includes(id))
    if (losing.length > 0) tx.emit(botDeleted({ userIds: losing }, { bot: { user_id } }))
    const gaining = managers.filter((id) => !managersBefore.includes(id))
    for (const { userIds, bots } of await this.view.describeFor(tx, [bot], gaining)) {
      for (const described of bots) tx.emit(botAdded({ userIds }, { bot: described }))
    }
    const remaining = (await this.managers.list(tx, bot)).filter((id) =>
      managersBefore.includes(id),
    )
    tx.emit(botUpdated({ userIds: remaining }, { bot: { user_id, owner_id: owner.id } }))
    if (remaining.includes(owner.id)) await this.secrets.announce(tx, bot)
  }

  async #changeDetails(
    tx: Transaction,
    actor: Actor,
    id: number,
    { defaults, service }: BotUpdate,
  ): Promise<void> {
    const bot = await this.users.get(tx, id)
    const managerIds = await this.managers.listManagers(tx, bot)
    const before = await this.view.describeFor(tx, [bot], managerIds)
    const isOutgoing = bot.bot_type === BotType.outgoingWebhook
    const changes = {
      ...(await this.rules.resolveDefaults(tx, actor, defaults)),
      ...(service === undefined || !isOutgoing
        ? {}
        : { service_base_url: service.url, service_interface: service.interface }),
      // The new program would otherwise receive a token that `actor` is not shown.
      ...(service !== undefined && isOutgoing && !seesSecrets(actor, bot)
        ? { service_token_sealed: this.serviceTokens.toStored() }
        : {}),
    }
    if (Object.keys(changes).length === 0) return
    await this.bots.change(tx, id, changes)
    // Without values, because the address of a program may contain a secret.
    const names = Object.keys(changes)
    const changedNames = Object.fromEntries(names.map((name) => [name, {}]))
    tx.audit({ action: 'bot.updated', objectId: id, changes: changedNames })
    const after = await this.view.describeFor(tx, [bot], managerIds)
    const recipients = new Set(await this.managers.list(tx, bot))
    for (const [index, { userIds: viewers, bots }] of after.entries()) {
      const userIds = viewers.filter((viewer) => recipients.has(viewer))
      const [old, changed] = [before[index]?.bots[0], bots[0]]
      for (const name of [
        'default_sending_stream',
        'default_events_register_stream',
        'default_all_public_streams',
        'services',
      ] as const) {
        if (JSON.stringify(old?.[name]) === JSON.stringify(changed?.[name])) continue
        tx.emit(botUpdated({ userIds }, { bot: { user_id: id, [name]: changed?.[name] } }))
      }
    }
  }
}
