import { inject } from 'tsyringe'

import { hasRole, Role, type Actor } from '../../../domain/users/actor.js'
import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { Database, UnitOfWork } from '../../../storage/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import {
  shownAvatarUrl,
  UserDirectory,
  UserRepository,
  isOwnedByApplication,
} from '../../people/users/index.js'
import {
  ImageFiles,
  requireOneImage,
  type ImageElsewhere,
  type ShownImage,
  type UploadedImage,
} from '../images/index.js'
import { AvatarImages, avatarKeyOf, pixelsOf, type AvatarCopies } from './avatar-images.js'
import { drawIdenticon } from './identicon.js'

/** Manages the pictures of users. */
@perServer()
export class AvatarService {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(UserRepository) private readonly rows: UserRepository,
    @inject(UserDirectory) private readonly users: UserDirectory,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(AvatarImages) private readonly images: AvatarImages,
    @inject(ImageFiles) private readonly files: ImageFiles,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /**
   * Replaces `actor`'s picture.
   *
   * @returns its address.
   * @throws {ChatError} `BAD_REQUEST` unless there is exactly one image, small enough, or if the
   *   organization does not allow it; `BAD_IMAGE` if it is not an image.
   */
  async upload(actor: Actor, images: readonly UploadedImage[]): Promise<string> {
    const image = requireOneImage(images, 'IMAGE_AVATAR')
    await this.#requireAllowed(actor)
    return this.#replace(actor, await this.images.copies(image))
  }

  /**
   * Removes `actor`'s picture.
   *
   * @returns the address of the picture shown instead.
   * @throws {ChatError} `BAD_REQUEST` if the organization does not allow it.
   */
  async remove(actor: Actor): Promise<string> {
    await this.#requireAllowed(actor)
    return this.#replace(actor, undefined)
  }

  /**
   * Returns the picture at an address, or where the application has it; undefined if no picture has
   * the address.
   */
  async image(
    organizationId: number,
    fileName: string,
    version: number,
  ): Promise<ShownImage | ImageElsewhere | undefined> {
    const [, avatar_name, suffix] = /^([0-9a-f]{40})(-medium)?\.png$/.exec(fileName) ?? []
    if (avatar_name === undefined) return undefined
    const scope = this.database.read(organizationId)
    const user = await this.rows.findByAvatarName(scope, avatar_name)
    if (user?.avatar_version !== version) return undefined
    if (user.application_avatar_url !== null) return { location: user.application_avatar_url }
    return this.files.find(avatarKeyOf(user.organization_id, avatar_name, suffix !== undefined))
  }

  /**
   * Draws the picture of a user, an organization, or all users whom a guest may not access;
   * undefined if the name is not one of these. No rows are read, so no account is revealed.
   */
  drawn(fileName: string): Buffer | undefined {
    const [, seed, suffix] =
      /^(unknown|(?:organization-)?[1-9][0-9]{0,14})(-medium)?\.png$/.exec(fileName) ?? []
    return seed === undefined ? undefined : drawIdenticon(seed, pixelsOf(suffix !== undefined))
  }

  async #requireAllowed(actor: Actor): Promise<void> {
    const { settings } = await this.organizations.require(actor.organizationId)
    const user = await this.rows.get(this.database.read(actor.organizationId), actor.userId)
    const isOwned = isOwnedByApplication(user, 'avatar', this.facts)
    const isOpen = !settings.avatar_changes_disabled || hasRole(actor, Role.administrator)
    if (isOpen && !isOwned) return
    throw badRequest('AVATAR_CHANGES_DISABLED')
  }

  async #replace(actor: Actor, copies: AvatarCopies | undefined): Promise<string> {
    return this.unitOfWork.runFor(actor, async (tx) => {
      const user = await this.users.require(tx, actor.userId)
      const changed = await this.images.replace(tx, user, copies)
      return shownAvatarUrl(changed, this.facts)
    })
  }
}
