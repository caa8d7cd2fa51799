import { buffer } from 'node:stream/consumers'

import { inject } from 'tsyringe'

import { hasRole, Role, type Actor } from '../../domain/actor.js'
import { imageFactsOf } from '../../domain/images.js'
import { limits } from '../../domain/limits.js'
import { badRequest, ChatError } from '../../errors/index.js'
import { perServer } from '../../kernel/per-server.js'
import { UnitOfWork, type Transaction } from '../../storage/index.js'
import { StoredFiles } from '../file-storage/index.js'
import { ImageResizer } from '../image-resizing/index.js'
import { OrganizationService } from '../organizations/index.js'
import {
  AccountChanges,
  avatarFileName,
  avatarUrl,
  UserDirectory,
  type UserRow,
} from '../users/index.js'

const sizes = [
  { isMedium: false, pixels: 100 },
  { isMedium: true, pixels: 500 },
] as const

/** An image as a request brings it. */
export interface AvatarImage {
  readonly bytes: Buffer
  readonly truncated: boolean
}

/** Keeps the pictures of users. */
@perServer()
export class AvatarService {
  constructor(
    @inject(UserDirectory) private readonly users: UserDirectory,
    @inject(AccountChanges) private readonly accounts: AccountChanges,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(ImageResizer) private readonly resizer: ImageResizer,
    @inject(StoredFiles) private readonly files: StoredFiles,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Gives `actor` another picture.
   *
   * @returns its address.
   * @throws {ChatError} `BAD_REQUEST` unless there is exactly one image, small enough, or if the
   *   organization does not allow it; `BAD_IMAGE` if it is no image.
   */
  async upload(actor: Actor, images: readonly AvatarImage[]): Promise<string> {
    const [image, ...more] = images
    if (image === undefined || more.length > 0) {
      throw badRequest('You must upload exactly one avatar.')
    }
    await this.#requireAllowed(actor)
    if (image.truncated) {
      throw badRequest(
        `Uploaded file is larger than the allowed limit of ${limits.maxAvatarFileMebibytes} MiB`,
      )
    }
    const copies = await this.#copies(image.bytes)
    return this.unitOfWork.run(actor.organizationId, async (tx) => {
      const user = await this.users.require(tx, actor.userId)
      await this.#discard(tx, user)
      const changed = await this.accounts.changeAvatar(tx, user, 'U')
      for (const { isMedium, bytes } of copies) {
        // Within the transaction, because the version in the key is known only here.
        await this.files.writeWithin(tx, keyOf(changed, isMedium), bytes)
      }
      return avatarUrl(changed, { clientGravatar: false }) as string
    })
  }

  /**
   * Takes `actor`'s picture away; their gravatar stands in.
   *
   * @throws {ChatError} `BAD_REQUEST` if the organization does not allow it.
   */
  async remove(actor: Actor): Promise<string> {
    await this.#requireAllowed(actor)
    return this.unitOfWork.run(actor.organizationId, async (tx) => {
      const user = await this.users.require(tx, actor.userId)
      await this.#discard(tx, user)
      const changed = await this.accounts.changeAvatar(tx, user, 'G')
      return avatarUrl(changed, { clientGravatar: false }) as string
    })
  }

  /** The picture behind an address, or undefined if there is none. */
  async image(
    organizationId: number,
    fileName: string,
    version: number,
  ): Promise<{ content: Buffer; contentType: string } | undefined> {
    const name = /^([0-9a-f]{40}(?:-medium)?)\.png$/.exec(fileName)?.[1]
    if (name === undefined) return undefined
    const stream = await this.files.read(`${organizationId}/avatars/${name}-${version}`)
    if (stream === undefined) return undefined
    const content = await buffer(stream)
    return { content, contentType: imageFactsOf(content)?.contentType ?? 'image/png' }
  }

  async #requireAllowed(actor: Actor): Promise<void> {
    const { settings } = await this.organizations.require(actor.organizationId)
    if (!settings.avatar_changes_disabled || hasRole(actor, Role.administrator)) return
    throw badRequest('Avatar changes are disabled in this organization.')
  }

  /** The image in the sizes that are served; as it is where it cannot be resized. */
  async #copies(image: Buffer): Promise<{ isMedium: boolean; bytes: Buffer }[]> {
    if (imageFactsOf(image) === undefined) throw new ChatError('BAD_IMAGE')
    if (!(await this.resizer.isAvailable())) {
      return sizes.map(({ isMedium }) => ({ isMedium, bytes: image }))
    }
    const copies: { isMedium: boolean; bytes: Buffer }[] = []
    for (const { isMedium, pixels } of sizes) {
      const bytes = await this.resizer.resize(image, {
        width: pixels,
        height: pixels,
        fit: 'cover',
        format: 'png',
        isAnimated: false,
      })
      if (bytes === undefined) throw new ChatError('BAD_IMAGE')
      copies.push({ isMedium, bytes })
    }
    return copies
  }

  async #discard(tx: Transaction, user: UserRow): Promise<void> {
    if (user.avatar_source !== 'U') return
    const keys = sizes.map(({ isMedium }) => keyOf(user, isMedium))
    await this.files.discard(tx, keys)
  }
}

function keyOf(
  user: Pick<UserRow, 'id' | 'organization_id' | 'avatar_version'>,
  isMedium: boolean,
): string {
  const name = avatarFileName(user.id, isMedium)
  return `${user.organization_id}/avatars/${name}-${user.avatar_version}`
}
