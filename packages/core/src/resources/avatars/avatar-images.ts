import { inject } from 'tsyringe'

import { limits } from '../../domain/limits.js'
import { perServer } from '../../kernel/per-server.js'
import type { Transaction } from '../../storage/index.js'
import { StoredFiles } from '../file-storage/index.js'
import { ImageResizer, requireImage, type ImageShape, type UploadedImage } from '../images/index.js'
import { AccountChanges, avatarFileName, type UserRow } from '../users/index.js'

const sizes = [
  { isMedium: false, pixels: 100 },
  { isMedium: true, pixels: 500 },
] as const

/** The largest part that is taken for a picture, in bytes. */
export const maxAvatarBytes = limits.maxAvatarFileMebibytes * 1024 * 1024

/** An image in the sizes that are served. */
export type AvatarCopies = readonly { readonly isMedium: boolean; readonly bytes: Buffer }[]

/** Makes images the pictures of users and bots; asks no questions about who may do it. */
@perServer()
export class AvatarImages {
  constructor(
    @inject(AccountChanges) private readonly accounts: AccountChanges,
    @inject(ImageResizer) private readonly resizer: ImageResizer,
    @inject(StoredFiles) private readonly files: StoredFiles,
  ) {}

  /**
   * The image in the sizes that are served; as it is where it cannot be resized.
   *
   * @throws {ChatError} `BAD_REQUEST` if it is too large, `BAD_IMAGE` if it is no image,
   *   `SERVICE_UNAVAILABLE` if too many images are waiting to be decoded.
   */
  async copies(image: UploadedImage): Promise<AvatarCopies> {
    requireImage(image, limits.maxAvatarFileMebibytes)
    const resized: readonly Buffer[] = await this.resizer.fit(
      image.bytes,
      sizes.map(({ pixels }): ImageShape => ({
        width: pixels,
        height: pixels,
        fit: 'cover',
        format: 'png',
        isAnimated: false,
      })),
    )
    return resized.map((bytes, index) => ({ isMedium: sizes[index]?.isMedium === true, bytes }))
  }

  /**
   * Gives a user another picture, or none, and tells everyone.
   *
   * @param copies undefined to let the gravatar stand in.
   * @returns the user as they are now.
   */
  async replace(
    tx: Transaction,
    user: UserRow,
    copies: AvatarCopies | undefined,
  ): Promise<UserRow> {
    if (user.avatar_source === 'U') {
      await this.files.discard(
        tx,
        sizes.map(({ isMedium }) => keyOf(user, isMedium)),
      )
    }
    const changed = await this.accounts.changeAvatar(tx, user, copies === undefined ? 'G' : 'U')
    // Within the transaction, because the version in the key is known only here.
    if (copies !== undefined) await this.write(tx, changed, copies)
    return changed
  }

  /** Stores the picture of somebody who was created with one. */
  async write(tx: Transaction, user: UserRow, copies: AvatarCopies): Promise<void> {
    for (const { isMedium, bytes } of copies) {
      await this.files.writeWithin(tx, keyOf(user, isMedium), bytes)
    }
  }
}

function keyOf(
  user: Pick<UserRow, 'id' | 'organization_id' | 'avatar_version'>,
  isMedium: boolean,
): string {
  const name = avatarFileName(user.id, isMedium)
  return `${user.organization_id}/avatars/${name}-${user.avatar_version}`
}
