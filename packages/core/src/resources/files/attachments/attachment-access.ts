import { inject } from 'tsyringe'

import { spectatorOf, type Actor } from '../../../domain/users/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { ChannelAccess, ChannelRepository } from '../../channels/channels/index.js'
import { mayRead } from '../../channels/message-permissions/index.js'
import { AttachmentRepository, type LinkPlace } from './attachment-repository.js'
import { attachments, type AttachmentRow } from './attachments-table.js'
import { decodePathId, pathIdOf } from './attachment-events.js'

/** No user has this id. */
const noUserId = 0

/**
 * Decides who may read an uploaded file. Files that a client names are only accessed through it.
 */
@perServer()
export class AttachmentAccess {
  constructor(
    @inject(AttachmentRepository) private readonly attachments: AttachmentRepository,
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(ChannelAccess) private readonly channelAccess: ChannelAccess,
  ) {}

  /** Finds the attachment of an address, without checking access. */
  async findByPathId(scope: OrganizationScope, pathId: string): Promise<AttachmentRow | undefined> {
    const [found] = await this.#listByPathIds(scope, [pathId])
    return found
  }

  /** Returns those of the linked attachments that `actor` may read, ordered by id. */
  async listReadable(
    scope: OrganizationScope,
    actor: Actor,
    pathIds: readonly string[],
  ): Promise<readonly AttachmentRow[]> {
    const found = await this.#listByPathIds(scope, pathIds)
    return this.#readableOnes(scope, actor, found)
  }

  /** @param actor undefined for a spectator. */
  async mayRead(
    scope: OrganizationScope,
    actor: Actor | undefined,
    attachment: AttachmentRow,
  ): Promise<boolean> {
    return (await this.#readableOnes(scope, actor, [attachment])).length === 1
  }

  async #listByPathIds(
    scope: OrganizationScope,
    pathIds: readonly string[],
  ): Promise<AttachmentRow[]> {
    const decodedPathIds = new Set(pathIds.map(decodePathId))
    const folders = new Set<string>()
    for (const pathId of pathIds) {
      const [organizationId, part, token] = pathId.split('/')
      if (organizationId === String(scope.organizationId)) folders.add(`${part}/${token}`)
    }
    const found = await scope.rows(attachments).list({ folder: [...folders] }, 'id')
    return found.filter((row) => decodedPathIds.has(pathIdOf(row)))
  }

  async #readableOnes(
    scope: OrganizationScope,
    actor: Actor | undefined,
    attachments: readonly AttachmentRow[],
  ): Promise<readonly AttachmentRow[]> {
    const others = attachments.filter((row) => row.owner_id !== actor?.userId).map(({ id }) => id)
    if (others.length === 0) return attachments
    const places = await this.attachments.listPlaces(scope, others, actor?.userId ?? noUserId)
    const mayReadIn = await this.#reader(scope, actor, places)
    const readable = new Set(places.filter(mayReadIn).map((place) => place.attachment_id))
    return attachments.filter((row) => row.owner_id === actor?.userId || readable.has(row.id))
  }

  /** Returns a predicate: whether `actor` can see one of the messages of a place. */
  async #reader(
    scope: OrganizationScope,
    actor: Actor | undefined,
    places: readonly LinkPlace[],
  ): Promise<(place: LinkPlace) => boolean> {
    const ids = new Set(places.map((place) => place.channel_id).filter((id) => id !== null))
    const found = await this.channels.findManyForUser(scope, [...ids], actor?.userId ?? noUserId)
    const byId = new Map(found.map((one) => [one.channel.id, one]))
    const viewer = await this.channelAccess.viewer(actor ?? spectatorOf(scope.organizationId))
    return ({ channel_id, has_record }) => {
      const channel = channel_id === null ? undefined : byId.get(channel_id)
      if (channel_id !== null && channel === undefined) return false
      return mayRead(viewer, channel, has_record)
    }
  }
}
