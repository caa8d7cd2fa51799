import { inject } from 'tsyringe'

import { type Actor, hasRole, Role } from '../../../domain/users/actor.js'
import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import {
  Database,
  type OrganizationScope,
  type Transaction,
  UnitOfWork,
} from '../../../storage/index.js'
import { EmojiLookup, storedType } from '../../content/emoji/index.js'
import { UserAccess } from '../../people/user-access/index.js'
import { UserAudience, UserRepository, type UserRow } from '../../people/users/index.js'
import { UserSettingsService } from '../user-settings/index.js'
import { type UserStatus, userStatusChanged } from './user-status-events.js'
import { type StoredStatus, UserStatusRepository } from './user-status-repository.js'
import { UserStatusView } from './user-status-view.js'
import { userStatuses } from './user-statuses-table.js'

/** Changes of a status; undefined properties stay. */
export interface StatusChange {
  readonly status_text?: string | undefined
  /** An empty name removes the emoji. */
  readonly emoji_name?: string | undefined
  readonly emoji_code?: string | undefined
  readonly reaction_type?: string | undefined
  readonly away?: boolean | undefined
}

const emptyStatus: StoredStatus = {
  status_text: '',
  emoji_name: '',
  emoji_code: '',
  reaction_type: 'unicode_emoji',
}

/** Manages user statuses. */
@perServer()
export class UserStatusService {
  constructor(
    @inject(UserStatusRepository) private readonly statuses: UserStatusRepository,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(UserStatusView) private readonly view: UserStatusView,
    @inject(UserAudience) private readonly audience: UserAudience,
    @inject(UserAccess) private readonly access: UserAccess,
    @inject(UserSettingsService) private readonly settings: UserSettingsService,
    @inject(EmojiLookup) private readonly emoji: EmojiLookup,
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @throws {ChatError} `BAD_REQUEST` if there is no such user whom `actor` can access. */
  async get(actor: Actor, userId: number): Promise<UserStatus> {
    const scope = this.database.read(actor.organizationId)
    const user = await this.access.requireAccess(scope, actor, await this.users.find(scope, userId))
    if (!user.is_active) throw badRequest('USER_INACTIVE')
    const [row] = await this.statuses.findMany(scope, [userId])
    return row === undefined ? {} : this.view.of(row)
  }

  /** The statuses of active users whom `actor` can access, by user id; empty ones are left out. */
  async list(scope: OrganizationScope, actor: Actor): Promise<Record<string, UserStatus>> {
    const rows = await this.statuses.listActive(scope)
    const accessible = await this.access.accessibleTo(scope, actor)
    const views = rows
      .filter(({ user_id }) => accessible === undefined || accessible.has(user_id))
      .map((row) => [String(row.user_id), this.view.of(row)] as const)
      .filter(([, view]) => Object.keys(view).length > 0)
    return Object.fromEntries(views)
  }

  /** @throws {ChatError} `BAD_REQUEST` if no value is given, or the emoji does not exist. */
  async updateOwn(actor: Actor, change: StatusChange): Promise<void> {
    await this.unitOfWork.runFor(actor, async (tx) => {
      const user = await this.users.get(tx, actor.userId)
      await this.#update(tx, user, change)
    })
  }

  /**
   * @throws {ChatError} `BAD_REQUEST` if `actor` may not change the user's status, no value is
   *   given, or the emoji does not exist.
   */
  async updateOf(actor: Actor, userId: number, change: StatusChange): Promise<void> {
    await this.unitOfWork.runFor(actor, async (tx) => {
      const user = await this.access.requireAccess(tx, actor, await this.users.find(tx, userId))
      if (user.is_bot) throw badRequest('USER_UNKNOWN')
      if (!user.is_active) throw badRequest('USER_INACTIVE')
      if (!hasRole(actor, Role.administrator)) throw badRequest('INSUFFICIENT_PERMISSION')
      await this.#update(tx, user, change)
    })
  }

  /** Deletes the status of a user, who may be deactivated, and sends the event. */
  async clear(tx: Transaction, user: UserRow): Promise<void> {
    const [row] = await this.statuses.findMany(tx, [user.id])
    if (row === undefined) return
    await tx.rows(userStatuses).delete({ user_id: user.id })
    const audience = await this.audience.of(tx, user)
    const { reaction_type, ...texts } = emptyStatus
    const shown = { ...texts, reaction_type: this.emoji.wireType(reaction_type) }
    tx.emit(userStatusChanged(audience, { user_id: user.id, ...shown }))
  }

  async #update(tx: Transaction, user: UserRow, change: StatusChange): Promise<void> {
    const { away, status_text } = change
    const emoji = await this.#emojiOf(tx, change)
    const changes = { ...(status_text === undefined ? {} : { status_text }), ...emoji }
    if (away === undefined && Object.keys(changes).length === 0) {
      throw badRequest('STATUS_WITHOUT_CHANGES')
    }
    if (away !== undefined) {
      await this.settings.changeWithin(tx, user.id, { presence_enabled: !away })
    }
    await this.#store(tx, user.id, changes)
    const audience = await this.audience.of(tx, user)
    const shown: UserStatus = {
      ...(away === undefined ? {} : { away }),
      ...(status_text === undefined ? {} : { status_text }),
      ...(emoji && { ...emoji, reaction_type: this.emoji.wireType(emoji.reaction_type) }),
    }
    tx.emit(userStatusChanged(audience, { user_id: user.id, ...shown }))
  }

  /** The emoji to store; undefined keeps the current one. */
  async #emojiOf(
    tx: Transaction,
    { emoji_name, emoji_code, reaction_type }: StatusChange,
  ): Promise<Omit<StoredStatus, 'status_text'> | undefined> {
    if (emoji_name === undefined) {
      if (emoji_code === undefined && reaction_type === undefined) return undefined
      throw badRequest('STATUS_EMOJI_NAME_MISSING')
    }
    if (emoji_name === '') {
      const { status_text: _, ...none } = emptyStatus
      return none
    }
    const isWhole = emoji_code !== undefined && reaction_type !== undefined
    const named = isWhole ? undefined : await this.emoji.byName(tx, emoji_name)
    const emoji = {
      emoji_name,
      emoji_code: emoji_code ?? named?.emoji_code ?? '',
      reaction_type: storedType(reaction_type ?? named?.reaction_type ?? ''),
    }
    await this.emoji.requireKnown(tx, emoji)
    return emoji
  }

  async #store(tx: Transaction, userId: number, changes: Partial<StoredStatus>): Promise<void> {
    const rows = tx.rows(userStatuses)
    if (!(await rows.has({ user_id: userId }))) {
      await rows.insert({ user_id: userId, ...emptyStatus, ...changes })
    } else if (Object.keys(changes).length > 0) await rows.update({ user_id: userId }, changes)
  }
}
