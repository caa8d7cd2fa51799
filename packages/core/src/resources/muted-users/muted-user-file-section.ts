import { inject } from 'tsyringe'
import { Type, type Static } from 'typebox'

import { perServer } from '../../kernel/per-server.js'
import type { Transaction } from '../../storage/index.js'
import {
  chunksOf,
  closed,
  defineFileSection,
  FileId,
  type FileLoading,
  FileSeconds,
  type FileSectionLoader,
} from '../file-sections/index.js'
import { MutedUserRepository } from './muted-user-repository.js'

const FileMutedUser = Type.Object(
  {
    user_id: FileId,
    muted_user_id: FileId,
    muted_at_seconds: Type.Optional(FileSeconds),
  },
  closed,
)
/** A user of an organization file whom another one has muted. */
export type FileMutedUser = Static<typeof FileMutedUser>

/** Stores who has muted whom in an organization file. */
@perServer()
class MutedUserFileLoader implements FileSectionLoader<FileMutedUser> {
  constructor(@inject(MutedUserRepository) private readonly mutedUsers: MutedUserRepository) {}

  async load(
    tx: Transaction,
    items: readonly FileMutedUser[],
    { createdAtSeconds }: FileLoading,
  ): Promise<void> {
    const rows = items.map((item) => ({ muted_at_seconds: createdAtSeconds, ...item }))
    for (const chunk of chunksOf(rows)) await this.mutedUsers.insertMany(tx, chunk)
  }
}

export const mutedUserFile = defineFileSection({
  key: 'muted_users',
  summary: 'Who has muted whom; what a muted user has sent is read.',
  item: FileMutedUser,
  loader: MutedUserFileLoader,
  async check(items, check) {
    const pair = check.once()
    for await (const { place, item } of items) {
      check.requireKnown(`${place}/user_id`, 'user', item.user_id)
      check.requireKnown(`${place}/muted_user_id`, 'user', item.muted_user_id)
      pair(`${place}/muted_user_id`, `${item.user_id} ${item.muted_user_id}`, item.muted_user_id)
      if (item.user_id === item.muted_user_id) {
        check.report(`${place}/muted_user_id`, 'is the user themselves')
      }
    }
  },
})
