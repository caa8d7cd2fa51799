import { inject, injectAll } from 'tsyringe'

import { foldCase } from '../../../domain/texts/folding.js'
import type { Role } from '../../../domain/users/actor.js'
import { badRequest } from '../../../errors/index.js'
import type { Audience } from '../../../events/event.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import type { Transaction } from '../../../storage/index.js'
import { ActiveUsers } from '../../organization/organizations/index.js'
import { UserAccess } from '../user-access/index.js'
import { AccountStepToken, type AccountStep } from './account-steps.js'
import { shownAvatarUrl } from './avatar-url.js'
import { botUpdated } from './bot-events.js'
import { BotManagerRepository } from './bot-manager-repository.js'
import { isErased } from './erased-account.js'
import { OwnedBotRepository } from './owned-bot-repository.js'
import { UserAudience } from './user-audience.js'
import { userUpdated } from './user-events.js'
import { UserRepository } from './user-repository.js'
import type { UserRow } from './users-table.js'
import type { UserChange } from './user-schemas.js'
import { UserService } from './user-service.js'
import { apiEmail, weakestRoleThatSees } from './user-view.js'

/** Changes accounts and sends events; does not check permissions. */
@perServer()
export class AccountChanges {
  constructor(
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(OwnedBotRepository) private readonly ownedBots: OwnedBotRepository,
    @inject(BotManagerRepository) private readonly managers: BotManagerRepository,
    @inject(UserService) private readonly service: UserService,
    @inject(ActiveUsers) private readonly activeUsers: ActiveUsers,
    @inject(UserAccess) private readonly access: UserAccess,
    @inject(UserAudience) private readonly audience: UserAudience,
    @injectAll(AccountStepToken) private readonly steps: readonly AccountStep[],
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /** @param fullName a name that passed `normalizeFullName`. */
  async rename(tx: Transaction, user: UserRow, fullName: string): Promise<void> {
    await this.users.update(tx, user.id, { full_name: fullName })
    if (tx.caller?.userId !== user.id) tx.audit({ action: 'user.renamed', objectId: user.id })
    await this.sendUpdate(tx, user, { user_id: user.id, full_name: fullName })
    await this.#notifyManagers(tx, user, { full_name: fullName })
  }

  async changeRole(tx: Transaction, user: UserRow, role: Role): Promise<void> {
    await this.users.update(tx, user.id, { role })
    const changes = { role: { old: user.role, new: role } }
    tx.audit({ action: 'user.role_changed', objectId: user.id, changes })
    await this.activeUsers.changeRole(tx, { ...user, role }, user.role)
    await this.sendUpdate(tx, user, { user_id: user.id, role })
    for (const step of this.steps) await step.roleChanged?.(tx, { ...user, role }, user.role)
  }

  /**
   * @param avatar_name part of the picture's URL; null for no picture.
   * @param application_avatar_url where the application has the picture; null for an uploaded one.
   * @returns the changed user.
   */
  async changeAvatar(
    tx: Transaction,
    user: UserRow,
    avatar_name: string | null,
    application_avatar_url: string | null = null,
  ): Promise<UserRow> {
    if (user.avatar_name !== null && user.application_avatar_url === null) {
      for (const step of this.steps) await step.uploadedAvatarReplaced?.(tx, user)
    }
    const avatar_source = avatar_name === null ? 'G' : 'U'
    const avatar_version = user.avatar_version + 1
    const changes = { avatar_source, avatar_name, application_avatar_url, avatar_version } as const
    const changed = { ...user, ...changes }
    await this.users.update(tx, user.id, changes)
    await this.#notifyManagers(tx, changed, { avatar_url: shownAvatarUrl(changed, this.facts) })
    await this.#sendAvatar(tx, changed)
    return changed
  }

  /** @param email an address that no other account of the organization has. */
  async changeEmail(tx: Transaction, user: UserRow, email: string): Promise<void> {
    const changed = { ...user, email, email_key: foldCase(email) }
    await this.users.update(tx, user.id, { email, email_key: changed.email_key })
    if (tx.caller?.userId !== user.id) tx.audit({ action: 'user.email_changed', objectId: user.id })
    tx.emit(
      userUpdated(await this.#whoSeesEmail(tx, changed), {
        person: { user_id: user.id, delivery_email: email },
      }),
    )
    await this.#sendChangedAvatar(tx, user, changed)
    if (changed.email_address_visibility === 1) {
      await this.sendUpdate(tx, changed, { user_id: user.id, new_email: email })
    }
  }

  /**
   * Sends events to users who can now or no longer see the real address. The event about the
   * setting itself is sent elsewhere.
   */
  async changeEmailVisibility(
    tx: Transaction,
    user: UserRow,
    email_address_visibility: number,
  ): Promise<void> {
    const changed = { ...user, email_address_visibility }
    await this.users.update(tx, user.id, { email_address_visibility })
    const before = new Set(await this.#idsSeeingEmail(tx, user))
    const after = new Set(await this.#idsSeeingEmail(tx, changed))
    const gaining = [...after].filter((id) => !before.has(id))
    const losing = [...before].filter((id) => !after.has(id))
    for (const [userIds, delivery_email] of [
      [gaining, user.email] as const,
      [losing, null] as const,
    ]) {
      if (userIds.length === 0) continue
      tx.emit(userUpdated({ userIds }, { person: { user_id: user.id, delivery_email } }))
    }
    if (user.email_address_visibility !== 1 && email_address_visibility !== 1) return
    await this.sendUpdate(tx, changed, {
      user_id: user.id,
      new_email: apiEmail(changed, this.facts),
    })
    await this.#sendChangedAvatar(tx, user, changed)
  }

  /** Deactivates an active account, after the bots that it owns. */
  async deactivate(tx: Transaction, user: UserRow): Promise<void> {
    const bots = user.is_bot ? [] : await this.ownedBots.listActiveOf(tx, user.id)
    for (const account of [...bots, user]) {
      for (const step of this.steps) await step.beforeDeactivate?.(tx, account)
      await this.#setActive(tx, account, false)
      tx.audit({ action: 'user.deactivated', objectId: account.id })
      for (const step of this.steps)
        await step.afterDeactivate?.(tx, { ...account, is_active: false })
    }
  }

  /**
   * Reactivates an account; for an account that is already active, the events are sent again.
   *
   * @throws {ChatError} `BAD_REQUEST` if its user was erased.
   */
  async reactivate(tx: Transaction, user: UserRow): Promise<void> {
    if (isErased(user)) throw badRequest('USER_ERASED')
    if (!user.is_active) {
      tx.audit({ action: 'user.reactivated', objectId: user.id })
      for (const step of this.steps) await step.beforeReactivate?.(tx, user)
    }
    await this.#setActive(tx, user, true)
    await this.service.sendExportConsent(tx, user)
    for (const step of this.steps) await step.reactivated?.(tx, { ...user, is_active: true })
  }

  /** Sends an event about the user to all users who can access them. */
  async sendUpdate(tx: Transaction, user: UserRow, person: UserChange): Promise<void> {
    tx.emit(userUpdated(await this.audience.of(tx, user), { person }))
  }

  async #setActive(tx: Transaction, user: UserRow, is_active: boolean): Promise<void> {
    await this.users.update(tx, user.id, { is_active })
    await this.activeUsers.change(tx, { [is_active ? 'active' : 'inactive']: [user] })
    await this.sendUpdate(tx, user, { user_id: user.id, is_active })
    await this.#notifyManagers(tx, user, { is_active })
  }

  async #notifyManagers(
    tx: Transaction,
    user: UserRow,
    change: { full_name?: string; is_active?: boolean; avatar_url?: string },
  ): Promise<void> {
    if (!user.is_bot) return
    const userIds = await this.managers.list(tx, user)
    tx.emit(botUpdated({ userIds }, { bot: { user_id: user.id, ...change } }))
  }

  /** Sends the new avatar URL of a user with a gravatar, which depends on the email address. */
  async #sendChangedAvatar(tx: Transaction, before: UserRow, after: UserRow): Promise<void> {
    if (shownAvatarUrl(before, this.facts) === shownAvatarUrl(after, this.facts)) return
    await this.#sendAvatar(tx, after)
  }

  async #sendAvatar(tx: Transaction, user: UserRow): Promise<void> {
    await this.sendUpdate(tx, user, {
      user_id: user.id,
      avatar_source: user.avatar_source,
      avatar_url: shownAvatarUrl(user, this.facts),
      avatar_url_medium: shownAvatarUrl(user, this.facts, { medium: true }),
      avatar_version: user.avatar_version,
    })
  }

  async #whoSeesEmail(tx: Transaction, user: UserRow): Promise<Audience> {
    if (user.email_address_visibility === 1) return this.audience.of(tx, user)
    return { userIds: await this.#idsSeeingEmail(tx, user) }
  }

  async #idsSeeingEmail(tx: Transaction, user: UserRow): Promise<number[]> {
    const withoutAccess = new Set(await this.access.guestsWithoutAccess(tx, user))
    const ids = await this.users.listActiveIdsWithRole(tx, weakestRoleThatSees(user), user.id)
    return ids.filter((id) => !withoutAccess.has(id))
  }
}
