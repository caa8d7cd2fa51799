import { inject } from 'tsyringe'

import {
  organizationImageNames,
  organizationImageValues,
  type OrganizationImageName,
  type OrganizationImages,
} from '../../../domain/files/organization-images.js'
import { limits } from '../../../domain/limits.js'
import type { Actor } from '../../../domain/users/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { parseJson, toJson, UnitOfWork } from '../../../storage/index.js'
import { StoredFiles } from '../../files/file-storage/index.js'
import {
  ImageFiles,
  ImageResizer,
  requireImage,
  requireOneImage,
  type ImageShape,
  type ShownImage,
  type UploadedImage,
} from '../../files/images/index.js'
import {
  ActiveUsers,
  OrganizationRepository,
  organizationStateOf,
  realmSettingsUpdated,
} from '../../organization/organizations/index.js'

const icon: ImageShape = {
  width: 100,
  height: 100,
  fit: 'cover',
  format: 'png',
  isAnimated: false,
}
const logo: ImageShape = { ...icon, width: 800, fit: 'inside' }

/** Image format, maximum size, and the name used in errors. */
const kinds = {
  icon: { shape: icon, word: 'IMAGE_ICON', maxMebibytes: limits.maxIconFileMebibytes },
  logo: { shape: logo, word: 'IMAGE_LOGO', maxMebibytes: limits.maxLogoFileMebibytes },
  night_logo: { shape: logo, word: 'IMAGE_LOGO', maxMebibytes: limits.maxLogoFileMebibytes },
} as const

/** Maximum size of the uploaded part, in bytes. */
export const maxImageBytes = (name: OrganizationImageName): number =>
  kinds[name].maxMebibytes * 1024 * 1024

/** Stores the images of organizations. */
@perServer()
export class OrganizationImageService {
  constructor(
    @inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @inject(ActiveUsers) private readonly activeUsers: ActiveUsers,
    @inject(ImageResizer) private readonly resizer: ImageResizer,
    @inject(ImageFiles) private readonly images: ImageFiles,
    @inject(StoredFiles) private readonly files: StoredFiles,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /**
   * Replaces an image of the organization and sends an event to all users.
   *
   * @param actor an administrator.
   * @returns the image's URL.
   * @throws {ChatError} `BAD_REQUEST` unless there is exactly one file within the size limit;
   *   `BAD_IMAGE` if it is not an image.
   */
  async upload(
    actor: Actor,
    name: OrganizationImageName,
    files: readonly UploadedImage[],
  ): Promise<string> {
    const { shape, word, maxMebibytes } = kinds[name]
    const file = requireOneImage(files, word)
    requireImage(file, maxMebibytes)
    const [image] = await this.resizer.fit(file.bytes, [shape])
    return this.#replace(actor, name, image)
  }

  /**
   * Deletes an image of the organization; a generated image takes its place.
   *
   * @param actor an administrator.
   * @returns the URL of the generated image.
   */
  async remove(actor: Actor, name: OrganizationImageName): Promise<string> {
    return this.#replace(actor, name, undefined)
  }

  /** The image at a URL, or undefined if it does not exist. */
  async image(
    organizationId: number,
    fileName: string,
    version: number,
  ): Promise<ShownImage | undefined> {
    const name = organizationImageNames.find((one) => fileName === `${one}.png`)
    if (name === undefined) return undefined
    return this.images.find(keyOf(organizationId, name, version))
  }

  async #replace(
    actor: Actor,
    name: OrganizationImageName,
    image: Buffer | undefined,
  ): Promise<string> {
    return this.unitOfWork.runFor(actor, async (tx) => {
      const row = await this.organizations.lockCurrent(tx)
      const organization = organizationStateOf(row)
      const { version, isUploaded } = organization.images[name]
      if (isUploaded) await this.files.discard(tx, [keyOf(row.id, name, version)])
      const changed = { version: version + 1, isUploaded: image !== undefined }
      if (image !== undefined) {
        await this.files.writeWithin(tx, keyOf(row.id, name, changed.version), image)
      }
      const images = { ...organization.images, [name]: changed }
      const settings = toJson({ ...parseJson(row.settings), images })
      await this.organizations.update(tx, { settings })
      tx.audit({ action: 'organization.image_changed', changes: { [name]: {} } })
      const data = organizationImageValues({ ...organization, images }, name, this.facts.address)
      const audienceId = await this.activeUsers.audience(tx)
      tx.emit(realmSettingsUpdated({ audienceId }, { data }))
      return present(data[`${name}_url`], 'the URL of the image')
    })
  }
}

function keyOf(organizationId: number, name: OrganizationImageName, version: number): string {
  return `${organizationId}/realm/${name}-${version}`
}

/** The storage keys of the uploaded images of an organization. */
export function imageKeysOf(organizationId: number, images: Partial<OrganizationImages>): string[] {
  return organizationImageNames.flatMap((name) => {
    const image = images[name]
    return image?.isUploaded === true ? [keyOf(organizationId, name, image.version)] : []
  })
}
