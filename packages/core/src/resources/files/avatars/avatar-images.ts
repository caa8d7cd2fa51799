import { createHash, randomBytes } from 'node:crypto'

import { inject } from 'tsyringe'

import { limits } from '../../../domain/limits.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import { StoredFiles } from '../file-storage/index.js'
import { ImageResizer, requireImage, type ImageShape, type UploadedImage } from '../images/index.js'
import { AccountChanges, type UserRow } from '../../people/users/index.js'

/** Whether each of the sizes is the larger one. */
const sizes = [false, true] as const

/**
 * The length of a picture's random name, in bytes. Older pictures, whose names were not random at
 * first, have names of 24 bytes.
 */
const nameBytes = 20

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
      name: randomBytes(nameBytes).toString('hex'),
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
    const { avatar_name } = user
    if (avatar_name !== null) {
      const keys = sizes.map((isMedium) => avatarKeyOf({ ...user, avatar_name }, isMedium))
      await this.files.discard(tx, keys)
    }
    if (copies !== undefined) await this.write(tx, copies)
    return this.accounts.changeAvatar(tx, user, copies?.name ?? null)
  }

  /** Stores the picture of a user whose row already has its name. */
  async write(tx: Transaction, { name, images }: AvatarCopies): Promise<void> {
    for (const { isMedium, bytes } of images) {
      await this.files.writeWithin(tx, fileKeyOf(tx.organizationId, name, isMedium), bytes)
    }
  }
}

/** The width and height of a picture, in pixels. */
export function pixelsOf(isMedium: boolean): number {
  return isMedium ? 500 : 100
}

/** Storage key of a user's picture. */
export function avatarKeyOf(
  user: Pick<UserRow, 'id' | 'organization_id' | 'avatar_version'> & { avatar_name: string },
  isMedium: boolean,
): string {
  const { organization_id, avatar_name } = user
  if (avatar_name.length === 2 * nameBytes) {
    return fileKeyOf(organization_id, avatar_name, isMedium)
  }
  // An older picture, which was given a longer name; its files keep their keys, which are derived
  // from the id.
  const digest = createHash('sha256').update(`avatar:${user.id}`).digest('hex').slice(0, 40)
  return `${fileKeyOf(organization_id, digest, isMedium)}-${user.avatar_version}`
}

function fileKeyOf(organizationId: number, name: string, isMedium: boolean): string {
  return `${organizationId}/avatars/${name}${isMedium ? '-medium' : ''}`
}
