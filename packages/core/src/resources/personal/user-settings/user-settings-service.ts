import { inject } from 'tsyringe'

import { languages } from '../../../domain/languages.js'
import { hasRole, Role, type Actor } from '../../../domain/users/actor.js'
import { normalizeFullName } from '../../../domain/users/full-name.js'
import {
  userSettingDefinitions,
  type UserSettingDefinition,
  type UserSettingName,
} from '../../../domain/users/user-settings.js'
import { badRequest } from '../../../errors/index.js'
import { entriesOf } from '../../../kernel/objects.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import {
  Database,
  parseJson,
  toJson,
  UnitOfWork,
  type Transaction,
} from '../../../storage/index.js'
import { OwnApiKey, OwnPassword, type RateLimitHeaders } from '../../access/authentication/index.js'
import { EmailChanges, type RequestedEmailChange } from '../../accounts/email-changes/index.js'
import { UniqueNames } from '../../accounts/user-administration/index.js'
import { UnwrittenMessageRepository } from '../../channels/unwritten-messages/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import {
  ApiKeys,
  hashingClientOf,
  PasswordHasher,
  PasswordStrength,
} from '../../people/credentials/index.js'
import {
  AccountChanges,
  apiEmail,
  accountChanged,
  UserRepository,
  userSettingChanged,
  UserService,
  type UserRow,
  isOwnedByApplication,
} from '../../people/users/index.js'
import { DraftService } from '../drafts/index.js'
import { PresenceService } from '../presence/index.js'
import { changedSettings, type SettingChanges } from './setting-parameters.js'
import { requireSettings } from './setting-rules.js'
import { displaySettingChanged, notificationSettingChanged } from './user-settings-events.js'
import { settingsOf } from './user-settings-snapshot.js'

/** The settings with which each message of a channel notifies. */
const channelNotificationSettings: ReadonlySet<UserSettingName> = new Set([
  'enable_stream_push_notifications',
  'enable_stream_email_notifications',
])

/** Changes of a user's own account. */
export interface OwnChanges {
  readonly settings: SettingChanges
  readonly fullName?: string | undefined
  readonly email?: string | undefined
  /** The URL at which the client reached the chat, for links in emails. */
  readonly chatUrl: string
  /** The client's IP address. */
  readonly remoteAddress: string
  readonly oldPassword?: string | undefined
  readonly newPassword?: string | undefined
}

/**
 * Changes users' settings, and sends events to their clients and to other users who can see the
 * change.
 */
@perServer()
export class UserSettingsService {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(AccountChanges) private readonly accounts: AccountChanges,
    @inject(UserService) private readonly userService: UserService,
    @inject(EmailChanges) private readonly emails: EmailChanges,
    @inject(UniqueNames) private readonly names: UniqueNames,
    @inject(UnwrittenMessageRepository) private readonly userMessages: UnwrittenMessageRepository,
    @inject(DraftService) private readonly drafts: DraftService,
    @inject(PresenceService) private readonly presence: PresenceService,
    @inject(OwnPassword) private readonly ownPassword: OwnPassword,
    @inject(OwnApiKey) private readonly ownApiKey: OwnApiKey,
    @inject(ApiKeys) private readonly apiKeys: ApiKeys,
    @inject(PasswordHasher) private readonly passwords: PasswordHasher,
    @inject(PasswordStrength) private readonly strength: PasswordStrength,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /**
   * Applies all changes in one transaction.
   *
   * @param limitHeaders collects the state of rate limits for single changes.
   * @throws {ChatError} `BAD_REQUEST` if a value is invalid, or the password wrong or weak;
   *   `RATE_LIMIT_HIT` if the email address is changed too often; `SERVICE_UNAVAILABLE` if the
   *   other changes were made, but the confirmation email could not be sent.
   */
  async update(actor: Actor, changes: OwnChanges, limitHeaders?: RateLimitHeaders): Promise<void> {
    const settings = requireSettings(changes.settings)
    const password = await this.#newPassword(actor, changes, limitHeaders)
    const emailChange = await this.#prepareEmail(actor, changes.email, limitHeaders)
    const owner = await this.unitOfWork.runFor(actor, async (tx) => {
      const user = await this.users.getLocked(tx, actor.userId)
      if (emailChange !== undefined) await this.emails.store(tx, user, emailChange)
      if (password !== undefined) {
        // The verified password may have been replaced meanwhile.
        if (user.password_hash !== password.replacedHash) throw badRequest('PASSWORD_WRONG')
        await this.users.update(tx, user.id, { password_hash: password.hash })
        tx.emit(accountChanged({ userId: user.id }))
        // Anyone with the old password could have fetched the API key.
        if (this.facts.passwordChangeReplacesApiKey) {
          await this.ownApiKey.replace(tx, user, this.apiKeys.create())
        }
      }
      await this.#rename(tx, actor, user, changes.fullName)
      await this.#change(tx, user, changedSettings(settingsOf(user), settings))
      return user
    })
    if (emailChange === undefined) return
    await this.emails.send(owner, emailChange, changes.chatUrl)
  }

  /** Changes a user's settings to validated values, within `tx`. */
  async changeWithin(tx: Transaction, userId: number, settings: SettingChanges): Promise<void> {
    const user = await this.users.getLocked(tx, userId)
    await this.#change(tx, user, changedSettings(settingsOf(user), settings))
  }

  async #prepareEmail(
    actor: Actor,
    email: string | undefined,
    limitHeaders: RateLimitHeaders | undefined,
  ): Promise<RequestedEmailChange | undefined> {
    if (email === undefined) return undefined
    const scope = this.database.read(actor.organizationId)
    const user = await this.users.get(scope, actor.userId)
    return this.emails.prepare(user, email, limitHeaders)
  }

  /** Hashes before the transaction, because that takes long. */
  async #newPassword(
    actor: Actor,
    { oldPassword, newPassword, remoteAddress }: OwnChanges,
    limitHeaders: RateLimitHeaders | undefined,
  ): Promise<{ hash: string; replacedHash: string | null } | undefined> {
    if (newPassword === undefined || newPassword === '') return undefined
    const scope = this.database.read(actor.organizationId)
    const user = await this.users.get(scope, actor.userId)
    await this.ownPassword.require(user, { password: oldPassword, remoteAddress, limitHeaders })
    if (!(await this.strength.isEnough(newPassword, [user.full_name, user.email]))) {
      throw badRequest('NEW_PASSWORD_TOO_WEAK')
    }
    return {
      hash: await this.passwords.hash(newPassword, hashingClientOf(actor)),
      replacedHash: user.password_hash,
    }
  }

  async #rename(
    tx: Transaction,
    actor: Actor,
    user: UserRow,
    text: string | undefined,
  ): Promise<void> {
    const trimmed = text?.trim() ?? ''
    if (text === undefined || trimmed === '' || trimmed === user.full_name) return
    const { settings } = await this.organizations.require(tx.organizationId)
    if (isOwnedByApplication(user, 'fullName', this.facts)) return
    if (settings.name_changes_disabled && !hasRole(actor, Role.administrator)) return
    const fullName = normalizeFullName(text)
    await this.names.require(tx, fullName, user.id)
    await this.accounts.rename(tx, user, fullName)
  }

  async #change(tx: Transaction, user: UserRow, changes: SettingChanges): Promise<void> {
    if (Object.keys(changes).length === 0) return
    // These two settings have columns of their own.
    const { timezone, email_address_visibility: _, ...others } = changes
    await this.users.update(tx, user.id, {
      settings: toJson({ ...parseJson(user.settings), ...others }),
      ...(timezone === undefined ? {} : { timezone }),
    })
    for (const [name, value] of entriesOf(changes)) {
      this.#emitUpdate(tx, user, name, value)
      await this.#takeEffect(tx, user, name, value)
    }
  }

  #emitUpdate(
    tx: Transaction,
    user: UserRow,
    name: UserSettingName,
    value: boolean | number | string,
  ): void {
    const self = { userIds: [user.id] }
    const about = { user: apiEmail(user, this.facts) }
    const english = name === 'default_language' ? languages.get(String(value)) : undefined
    const language = english === undefined ? {} : { language_name: english }
    tx.emit(userSettingChanged(self, { property: name, value, ...language }))
    const { legacyEvent }: UserSettingDefinition = userSettingDefinitions[name]
    if (legacyEvent === 'display') {
      const data = { ...about, setting_name: name, setting: value, ...language }
      tx.emit(displaySettingChanged(self, data))
    } else if (legacyEvent === 'notifications') {
      tx.emit(
        notificationSettingChanged(self, { ...about, notification_name: name, setting: value }),
      )
    }
  }

  async #takeEffect(
    tx: Transaction,
    user: UserRow,
    name: UserSettingName,
    value: boolean | number | string,
  ): Promise<void> {
    if (name === 'timezone') {
      const person = {
        user_id: user.id,
        email: apiEmail(user, this.facts),
        timezone: String(value),
      }
      await this.accounts.sendUpdate(tx, user, person)
    } else if (name === 'email_address_visibility') {
      await this.accounts.changeEmailVisibility(tx, user, Number(value))
    } else if (name === 'enable_drafts_synchronization' && value === false) {
      await this.drafts.discardAll(tx, user.id)
    } else if (name === 'presence_enabled') {
      await this.presence.switchVisibility(tx, user, value === true)
    } else if (channelNotificationSettings.has(name)) {
      await this.userMessages.adaptToNotifications(tx, user.id)
    } else if (name === 'allow_private_data_export') {
      await this.userService.sendExportConsent(tx, await this.users.get(tx, user.id))
    }
  }
}
