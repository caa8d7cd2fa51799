import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import type { AccountStep, UserRow } from '../../people/users/index.js'
import { StoredFiles } from '../file-storage/index.js'
import { avatarKeysOf } from './avatar-images.js'

/** Discards the files of uploaded pictures that are replaced or removed. */
@perServer()
export class ReplacedAvatars implements AccountStep {
  constructor(@inject(StoredFiles) private readonly files: StoredFiles) {}

  async uploadedAvatarReplaced(tx: Transaction, { avatar_name }: UserRow): Promise<void> {
    if (avatar_name === null) return
    await this.files.discard(tx, avatarKeysOf(tx.organizationId, avatar_name))
  }
}
