import { inject } from 'tsyringe'

import { hasRole, Role, type Actor } from '../../domain/actor.js'
import { badRequest } from '../../errors/index.js'
import { perServer } from '../../kernel/per-server.js'
import { UnitOfWork } from '../../storage/index.js'
import {
  ImageFiles,
  requireOneImage,
  type ShownImage,
  type UploadedImage,
} from '../images/index.js'
import { OrganizationService } from '../organizations/index.js'
import { avatarUrl, UserDirectory } from '../users/index.js'
import { AvatarImages, type AvatarCopies } from './avatar-images.js'

/** Keeps the pictures of users. */
@perServer()
export class AvatarService {
  constructor(
    @inject(UserDirectory) private readonly users: UserDirectory,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(AvatarImages) private readonly images: AvatarImages,
    @inject(ImageFiles) private readonly files: ImageFiles,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Gives `actor` another picture.
   *
   * @returns its address.
   * @throws {ChatError} `BAD_REQUEST` unless there is exactly one image, small enough, or if the
   *   organization does not allow it; `BAD_IMAGE` if it is no image.
   */
  async upload(actor: Actor, images: readonly UploadedImage[]): Promise<string> {
    const image = requireOneImage(images, 'avatar')
    await this.#requireAllowed(actor)
    return this.#replace(actor, await this.images.copies(image))
  }

  /**
   * Takes `actor`'s picture away; their gravatar stands in.
   *
   * @throws {ChatError} `BAD_REQUEST` if the organization does not allow it.
   */
  async remove(actor: Actor): Promise<string> {
    await this.#requireAllowed(actor)
    return this.#replace(actor, undefined)
  }

  /** The picture behind an address, or undefined if there is none. */
  async image(
    organizationId: number,
    fileName: string,
    version: number,
  ): Promise<ShownImage | undefined> {
    const name = /^([0-9a-f]{40}(?:-medium)?)\.png$/.exec(fileName)?.[1]
    if (name === undefined) return undefined
    return this.files.find(`${organizationId}/avatars/${name}-${version}`)
  }

  async #requireAllowed(actor: Actor): Promise<void> {
    const { settings } = await this.organizations.require(actor.organizationId)
    if (!settings.avatar_changes_disabled || hasRole(actor, Role.administrator)) return
    throw badRequest('Avatar changes are disabled in this organization.')
  }

  async #replace(actor: Actor, copies: AvatarCopies | undefined): Promise<string> {
    return this.unitOfWork.runFor(actor, async (tx) => {
      const user = await this.users.require(tx, actor.userId)
      const changed = await this.images.replace(tx, user, copies)
      return avatarUrl(changed, { clientGravatar: false }) as string
    })
  }
}
