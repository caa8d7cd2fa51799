import { inject } from 'tsyringe'

import { limits } from '../../../domain/limits.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import { StoredFiles } from '../file-storage/index.js'
import { ImageResizer, requireImage, type ImageShape, type UploadedImage } from '../images/index.js'
import { AccountChanges, newAvatarName, type UserRow } from '../../people/users/index.js'

/** Whether each of the sizes is the larger one. */
const sizes = [false, true] as const

/** The maximum size of an uploaded picture, in bytes. */
export const maxAvatarBytes = limits.maxAvatarFileMebibytes * 1024 * 1024

/** An image in the sizes that are served. */
export interface AvatarCopies {
  /** Random, so that an address cannot be guessed. */
  readonly name: string
  readonly images: readonly { readonly isMedium: boolean; readonly bytes: Buffer }[]
}

/** Stores images as the pictures of users and bots. Permissions are not checked. */
@perServer()
export class AvatarImages {
  constructor(
    @inject(AccountChanges) private readonly accounts: AccountChanges,
    @inject(ImageResizer) private readonly resizer: ImageResizer,
    @inject(StoredFiles) private readonly files: StoredFiles,
  ) {}

  /**
   * Returns the image in the sizes that are served; unchanged where it cannot be resized.
   *
   * @throws {ChatError} `BAD_REQUEST` if it is too large, `BAD_IMAGE` if it is not an image,
   *   `SERVICE_UNAVAILABLE` if too many images are waiting to be decoded.
   */
  async copies(image: UploadedImage): Promise<AvatarCopies> {
    requireImage(image, limits.maxAvatarFileMebibytes)
    const resized: readonly Buffer[] = await this.resizer.fit(
      image.bytes,
      sizes.map((isMedium): ImageShape => ({
        width: pixelsOf(isMedium),
        height: pixelsOf(isMedium),
        fit: 'cover',
        format: 'png',
        isAnimated: false,
      })),
    )
    return {
      name: newAvatarName(),
      images: resized.map((bytes, index) => ({ isMedium: sizes[index] === true, bytes })),
    }
  }

  /**
   * Replaces or removes a user's picture, and sends the change to all users. The old picture has no
   * address after the commit.
   *
   * @param copies undefined to remove the picture.
   * @returns the changed user.
   */
  async replace(
    tx: Transaction,
    user: UserRow,
    copies: AvatarCopies | undefined,
  ): Promise<UserRow> {
    if (copies !== undefined) await this.write(tx, copies)
    return this.accounts.changeAvatar(tx, user, copies?.name ?? null)
  }

  /** Stores the picture of a user whose row already has its name. */
  async write(tx: Transaction, { name, images }: AvatarCopies): Promise<void> {
    for (const { isMedium, bytes } of images) {
      await this.files.writeWithin(tx, avatarKeyOf(tx.organizationId, name, isMedium), bytes)
    }
  }
}

/** Storage keys of a user's picture. */
export function avatarKeysOf(organizationId: number, name: string): string[] {
  return sizes.map((isMedium) => avatarKeyOf(organizationId, name, isMedium))
}

/** The width and height of a picture, in pixels. */
export function pixelsOf(isMedium: boolean): number {
  return isMedium ? 500 : 100
}

/** Storage key of a user's picture. */
export function avatarKeyOf(organizationId: number, name: string, isMedium: boolean): string {
  return `${organizationId}/avatars/${name}${isMedium ? '-medium' : ''}`
}
