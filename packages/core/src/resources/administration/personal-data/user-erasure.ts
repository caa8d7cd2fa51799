import { inject } from 'tsyringe'

import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { Database, UnitOfWork } from '../../../storage/index.js'
import { SearchIndex } from '../../messages/search-index/index.js'
import {
  ExternalReferences,
  isErased,
  type AccountReference,
  type OrganizationReference,
} from '../../people/users/index.js'
import { ErasedContent } from './erased-content.js'
import { ErasedFiles } from './erased-files.js'
import { ErasedMentions } from './erased-mentions.js'
import { ErasedRows } from './erased-rows.js'

/** How a user is erased. */
export interface EraseOptions {
  /**
   * Whether messages that others can read stay, under the name of the erased account. With
   * `delete`, also the user's reactions and votes are deleted.
   *
   * @default 'keep'
   */
  readonly messages?: 'keep' | 'delete'
}

/** The result of an erasure. */
export interface ErasedUser {
  /** The chat's id of the erased account. */
  readonly userId: number
  /** The number of messages that this call has deleted. */
  readonly deletedMessages: number
}

const call = 'chat.users.erase'

/**
 * Erases users. Every step is a series of small transactions, and finds what is left to do in the
 * database, so a call that was interrupted can be repeated. The account loses its name and its
 * external id in the last transaction, so that the repeated call finds it.
 */
@perServer()
export class UserErasure {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ExternalReferences) private readonly references: ExternalReferences,
    @inject(ErasedRows) private readonly rows: ErasedRows,
    @inject(ErasedContent) private readonly content: ErasedContent,
    @inject(ErasedMentions) private readonly mentions: ErasedMentions,
    @inject(ErasedFiles) private readonly files: ErasedFiles,
    @inject(SearchIndex) private readonly searchIndex: SearchIndex,
  ) {}

  async erase(
    reference: AccountReference,
    options: EraseOptions & OrganizationReference = {},
  ): Promise<ErasedUser | undefined> {
    const { messages = 'keep' } = options
    if (messages !== 'keep' && messages !== 'delete') {
      throw new TypeError(`${call}: messages must be 'keep' or 'delete'`)
    }
    const { organizationId, key } = await this.references.resolve(call, reference, options)
    const user = await this.references.find(this.database.read(organizationId), key)
    if (user === undefined) return undefined
    if (user.is_bot) throw badRequest('BOTS_NOT_ERASED')
    if (!isErased(user)) {
      await this.#run(organizationId, async (tx) => {
        await this.rows.close(tx, user.id)
        tx.audit({ action: 'user.erased', objectId: user.id })
      })
    }

    let deletedMessages = await this.content.deletePrivate(organizationId, user.id)
    if (messages === 'delete') {
      deletedMessages += await this.content.deleteShared(organizationId, user.id)
    }
    if (!isErased(user)) {
      await this.mentions.rename(organizationId, user)
      await this.rows.deleteInBatches(organizationId, user.id)
      await this.files.remove(organizationId, user.id)
      await this.#run(organizationId, (tx) => this.rows.anonymize(tx, user.id))
    }
    await this.files.remove(organizationId, user.id)
    await this.searchIndex.purge(organizationId)
    return { userId: user.id, deletedMessages }
  }

  async #run(...parameters: Parameters<UnitOfWork['run']>): Promise<void> {
    await this.unitOfWork.run(...parameters)
  }
}
