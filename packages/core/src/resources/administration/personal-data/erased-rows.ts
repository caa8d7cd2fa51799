import { inject } from 'tsyringe'

import { foldCase } from '../../../domain/texts/folding.js'
import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { randomToken } from '../../../kernel/random.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { toJson, UnitOfWork, type Transaction } from '../../../storage/index.js'
import { OwnApiKey } from '../../access/authentication/index.js'
import { StoredProfileValues } from '../../accounts/profile-fields/index.js'
import { AttachmentClaims } from '../../files/attachments/index.js'
import { AvatarImages } from '../../files/avatars/index.js'
import { PushDeviceOwners } from '../../notifications/push-devices/index.js'
import { ApiKeys } from '../../people/credentials/index.js'
import {
  AccountChanges,
  apiEmail,
  erasedAccount,
  erasedKeyHash,
  UserRepository,
  type UserRow,
  accountChanged,
} from '../../people/users/index.js'
import { UserStatusService } from '../../personal/user-status/index.js'
import { EventQueueRepository, QueueRemoval } from '../../realtime/event-queues/index.js'
import { batchTables, PersonalRowRepository } from './personal-row-repository.js'

const rowsPerBatch = 1000

/** Deletes the rows that belong to a user alone, and anonymizes the account. */
@perServer()
export class ErasedRows {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(PersonalRowRepository) private readonly rows: PersonalRowRepository,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(AccountChanges) private readonly changes: AccountChanges,
    @inject(ApiKeys) private readonly apiKeys: ApiKeys,
    @inject(OwnApiKey) private readonly ownApiKey: OwnApiKey,
    @inject(EventQueueRepository) private readonly queues: EventQueueRepository,
    @inject(QueueRemoval) private readonly queueRemoval: QueueRemoval,
    @inject(PushDeviceOwners) private readonly devices: PushDeviceOwners,
    @inject(AttachmentClaims) private readonly attachments: AttachmentClaims,
    @inject(AvatarImages) private readonly avatars: AvatarImages,
    @inject(UserStatusService) private readonly statuses: UserStatusService,
    @inject(StoredProfileValues) private readonly profiles: StoredProfileValues,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /**
   * Ends all access of a user, in every process.
   *
   * @throws {ChatError} `BAD_REQUEST` if the organization would have no owner.
   */
  async close(tx: Transaction, userId: number): Promise<void> {
    const user = await this.users.getLocked(tx, userId)
    if (await this.users.isOnlyOwner(tx, user)) {
      throw badRequest('ONLY_OWNER_NOT_ERASED')
    }
    if (user.is_active) await this.changes.deactivate(tx, user)
    await this.users.update(tx, userId, { password_hash: null })
    await this.ownApiKey.replace(tx, user, this.apiKeys.create())
    await this.queueRemoval.remove(tx, await this.queues.lockAllOf(tx, userId))
  }

  async deleteInBatches(organizationId: number, userId: number): Promise<void> {
    for (const table of batchTables) {
      let hasMore = true
      while (hasMore) {
        hasMore = await this.unitOfWork.run(organizationId, (tx) =>
          this.rows.deleteBatch(tx, table, userId, rowsPerBatch),
        )
      }
    }
    let hasMore = true
    while (hasMore) {
      hasMore = await this.unitOfWork.run(organizationId, (tx) =>
        this.rows.clearOrigins(tx, userId, rowsPerBatch),
      )
    }
  }

  /** Deletes the remaining rows of the user, and the identifying values of the account. */
  async anonymize(tx: Transaction, userId: number): Promise<void> {
    const user = await this.users.getLocked(tx, userId)
    // The application may have reactivated the account meanwhile.
    if (user.is_active) await this.close(tx, userId)
    await this.statuses.clear(tx, user)
    await this.profiles.clear(tx, user)
    for (const id of await this.rows.listScheduledIds(tx, userId)) {
      await this.attachments.releaseScheduled(tx, id)
    }
    await this.rows.deleteOwn(tx, userId)
    for (const table of batchTables) {
      await this.rows.deleteBatch(tx, table, userId, Number.MAX_SAFE_INTEGER)
    }
    await this.rows.clearOrigins(tx, userId, Number.MAX_SAFE_INTEGER)
    this.devices.noteChange(tx, userId)
    await this.#anonymizeAccount(tx, user)
  }

  async #anonymizeAccount(tx: Transaction, user: UserRow): Promise<void> {
    const { id } = user
    const { full_name, email } = await this.#freeAccount(tx, user)
    const pictured = await this.avatars.replace(tx, user, undefined)
    await this.changes.rename(tx, pictured, full_name)
    await this.changes.changeEmail(tx, pictured, email)
    const renamed = { ...pictured, full_name, email, email_key: foldCase(email) }
    if (user.timezone !== '') {
      const shown = apiEmail(renamed, this.facts)
      await this.changes.sendUpdate(tx, renamed, { user_id: id, email: shown, timezone: '' })
    }
    await this.users.update(tx, id, {
      external_id: null,
      timezone: '',
      settings: toJson({}),
      can_create_users: false,
      can_change_user_emails: false,
      api_key_hash: erasedKeyHash(id),
    })
    tx.emit(accountChanged({ userId: id }))
  }

  async #freeAccount(tx: Transaction, { id }: UserRow) {
    const account = erasedAccount(id)
    const owner = await this.users.findByEmailKey(tx, foldCase(account.email))
    if (owner === undefined || owner.id === id) return account
    return erasedAccount(
      id,
      `-${randomToken(12)
        .toLowerCase()
        .replaceAll(/[^a-z0-9]/g, 'x')}`,
    )
  }
}
