import { Readable } from 'node:stream'

import { inject } from 'tsyringe'

import { createdValues, deletedValues } from '../../../domain/organizations/audit-actions.js'
import { Quotas } from '../../../domain/quotas.js'
import { hasRole, Role, type Actor } from '../../../domain/users/actor.js'
import { emojiCodeOfName } from '../../../emoji/index.js'
import { badRequest, ChatError, namedText } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { randomToken } from '../../../kernel/random.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import {
  Database,
  UnitOfWork,
  type OrganizationScope,
  type Transaction,
} from '../../../storage/index.js'
import { StoredFiles } from '../../files/file-storage/index.js'
import {
  ImageResizer,
  requireImage,
  requireOneImage,
  type UploadedImage,
} from '../../files/images/index.js'
import { PermissionGroups } from '../../groups/user-groups/index.js'
import { SharedValues, type SharedValue } from '../../organization/organizations/index.js'
import { UserService } from '../../people/users/index.js'
import { customEmojiChanged, type CustomEmoji, type CustomEmojiMap } from './custom-emoji-events.js'
import { customEmoji, type CustomEmojiRow } from './custom-emoji-table.js'

const maxEmojiMebibytes = 5
/** The maximum size of an emoji's image, in bytes. */
export const maxEmojiBytes = maxEmojiMebibytes * 1024 * 1024

/** Manages an organization's custom emoji. */
@perServer()
export class CustomEmojiService {
  readonly #emojiMap: SharedValue<CustomEmojiMap>

  constructor(
    @inject(Database) private readonly database: Database,
    @inject(PermissionGroups) private readonly groups: PermissionGroups,
    @inject(UserService) private readonly users: UserService,
    @inject(StoredFiles) private readonly files: StoredFiles,
    @inject(ImageResizer) private readonly resizer: ImageResizer,
    @inject(Quotas) private readonly quotas: Quotas,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
    @inject(SharedValues) shared: SharedValues,
  ) {
    this.#emojiMap = shared.define('custom_emoji', {
      load: async (scope) => mapOf(await scope.rows(customEmoji).list({}, 'id'), facts),
      changedBy: [customEmojiChanged],
    })
  }

  list(scope: OrganizationScope): Promise<CustomEmojiMap> {
    return this.#emojiMap.in(scope)
  }

  async listFor(actor: Actor): Promise<CustomEmojiMap> {
    return this.list(this.database.read(actor.organizationId))
  }

  /**
   * Adds an emoji, unless an active one has the name.
   *
   * @throws {ChatError} `BAD_REQUEST` or `BAD_IMAGE` if the name or the image is not allowed.
   */
  async upload(actor: Actor, givenName: string, images: readonly UploadedImage[]): Promise<void> {
    const name = normalizedName(givenName)
    if (!(await this.groups.allows(actor, 'can_add_custom_emoji_group'))) {
      throw badRequest('INSUFFICIENT_PERMISSION')
    }
    const { organizationId } = actor
    await this.#requireFree(this.database.read(organizationId), name)
    const image = requireOneImage(images, 'IMAGE_FILE')
    const { contentType } = requireImage(image, maxEmojiMebibytes, 'EMOJI_IMAGE_INVALID')
    if (emojiCodeOfName(name) !== undefined && !hasRole(actor, Role.administrator)) {
      throw badRequest('EMOJI_OVERRIDE_NOT_ALLOWED')
    }
    // The image is stored unchanged, so this is the only time that it is decoded here.
    if (!(await this.resizer.isWhole(image.bytes))) {
      throw new ChatError('BAD_IMAGE', { text: namedText('EMOJI_IMAGE_INVALID') })
    }
    const image_token = randomToken(15)
    const key = emojiFileKey(organizationId, image_token)
    await this.files.write(organizationId, key, Readable.from([image.bytes]))
    try {
      await this.unitOfWork.runFor(actor, async (tx) => {
        // The name may have been taken meanwhile.
        await this.#requireFree(tx, name)
        const present = await tx.rows(customEmoji).count()
        this.quotas.require('customEmojiPerOrganization', present + 1)
        await this.files.keep(tx, [key])
        const id = await tx.rows(customEmoji).insert({
          name,
          author_id: actor.userId,
          is_deactivated: false,
          image_token,
          content_type: contentType,
        })
        tx.audit({ action: 'emoji.added', objectId: id, changes: createdValues({ name }) })
        await this.#announce(tx)
      })
    } catch (error) {
      await this.files.abandon(organizationId, key)
      throw error
    }
  }

  /**
   * Deactivates an emoji; reactions with it remain.
   *
   * @throws {ChatError} `OBJECT_NOT_FOUND` if no active emoji has the name.
   * @throws {ChatError} `BAD_REQUEST` if `actor` is neither its author nor an administrator.
   */
  async deactivate(actor: Actor, name: string): Promise<void> {
    await this.unitOfWork.runFor(actor, async (tx) => {
      const found = await tx.rows(customEmoji).find({ name, is_deactivated: false })
      if (found === undefined) {
        throw new ChatError('OBJECT_NOT_FOUND', { text: namedText('EMOJI_UNKNOWN', { name }) })
      }
      if (found.author_id !== actor.userId && !hasRole(actor, Role.administrator)) {
        throw badRequest('EMOJI_ADMINISTRATION_NOT_ALLOWED')
      }
      await tx.rows(customEmoji).update({ id: found.id }, { is_deactivated: true })
      const changes = deletedValues({ name })
      tx.audit({ action: 'emoji.deactivated', objectId: found.id, changes })
      await this.#announce(tx)
    })
  }

  /**
   * Returns the image at an address; undefined if no emoji has it.
   *
   * @param name the token, with the extension or, as in messages of earlier versions, without it.
   */
  async image(
    organizationId: number,
    id: number,
    name: string,
  ): Promise<{ content: Readable; contentType: string } | undefined> {
    const row = await this.database.read(organizationId).rows(customEmoji).find({ id })
    if (row === undefined || ![row.image_token, imageNameOf(row)].includes(name)) return undefined
    const content = await this.files.read(emojiFileKey(organizationId, row.image_token))
    return content === undefined ? undefined : { content, contentType: row.content_type }
  }

  async #requireFree(scope: OrganizationScope, name: string): Promise<void> {
    if (await scope.rows(customEmoji).has({ name, is_deactivated: false })) {
      throw badRequest('EMOJI_NAME_TAKEN')
    }
  }

  async #announce(tx: Transaction): Promise<void> {
    const audienceId = await this.users.activeAudience(tx)
    const realm_emoji = mapOf(await tx.rows(customEmoji).list({}, 'id'), this.facts)
    tx.emit(customEmojiChanged({ audienceId }, { realm_emoji }))
  }
}

/** Storage key of an emoji's image. */
export function emojiFileKey(organizationId: number, imageToken: string): string {
  return `${organizationId}/emoji/${imageToken}`
}

/** The extensions of the types of images that emoji can have. */
const extensions: Readonly<Record<string, string>> = {
  'image/png': '.png',
  'image/gif': '.gif',
  'image/jpeg': '.jpg',
  'image/webp': '.webp',
}

/** The address of an emoji's image, as a path. Clients tell the type by its end. */
export function emojiImageUrl(
  emoji: Pick<CustomEmojiRow, 'id' | 'image_token' | 'content_type'>,
  { address }: Pick<ServerFacts, 'address'>,
): string {
  return address.api(`/realm/emoji/images/${emoji.id}/${imageNameOf(emoji)}`)
}

function imageNameOf({
  image_token,
  content_type,
}: Pick<CustomEmojiRow, 'image_token' | 'content_type'>): string {
  return image_token + (extensions[content_type] ?? '')
}

function mapOf(rows: readonly CustomEmojiRow[], facts: ServerFacts): CustomEmojiMap {
  return Object.fromEntries(
    rows.map((row): [string, CustomEmoji] => [
      String(row.id),
      {
        id: String(row.id),
        name: row.name,
        source_url: emojiImageUrl(row, facts),
        // A client that animates images also animates this one; no still copy is created.
        still_url: row.content_type === 'image/gif' ? emojiImageUrl(row, facts) : null,
        deactivated: row.is_deactivated,
        author_id: row.author_id,
      },
    ]),
  )
}

/**
 * Converts a name to the form in which it is stored.
 *
 * @throws {ChatError} `BAD_REQUEST` if it is not a valid name of an emoji.
 */
export function normalizedName(text: string): string {
  const name = text.trim().replaceAll(' ', '_')
  if (name === '') throw badRequest('EMOJI_NAME_MISSING')
  if (!/^[0-9a-z_-]+$/.test(name)) {
    throw badRequest('EMOJI_NAME_WRONG_CHARACTERS')
  }
  if (!/[0-9a-z]$/.test(name)) {
    throw badRequest('EMOJI_NAME_WRONG_END')
  }
  return name
}
