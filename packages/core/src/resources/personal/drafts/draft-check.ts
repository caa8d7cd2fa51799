import { inject } from 'tsyringe'

import { normalizeContent } from '../../../domain/messages/message-content.js'
import { truncateTopic } from '../../../domain/messages/topics.js'
import { Quotas } from '../../../domain/quotas.js'
import { unstorableCharacterPosition } from '../../../domain/texts/invalid-characters.js'
import type { Actor } from '../../../domain/users/actor.js'
import { badRequest } from '../../../errors/index.js'
import type { Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { toJson, type OrganizationScope } from '../../../storage/index.js'
import { ChannelAccess, ChannelRepository } from '../../channels/channels/index.js'
import { UserAccess } from '../../people/user-access/index.js'
import { UsersAndSystemBots } from '../../people/users/index.js'
import type { DraftRow } from './drafts-table.js'
import type { DraftInput } from './draft-events.js'

/** A draft as it is stored. */
export type CheckedDraft = Omit<DraftRow, 'id' | 'organization_id' | 'user_id'>

/** The channels and users that drafts may be addressed to. */
interface AllowedRecipients {
  readonly channelIds: ReadonlySet<number>
  readonly userIds: ReadonlySet<number>
}

/** Checks whether drafts can be stored, and converts them to the stored form. */
@perServer()
export class DraftCheck {
  constructor(
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(ChannelAccess) private readonly access: ChannelAccess,
    @inject(UsersAndSystemBots) private readonly users: UsersAndSystemBots,
    @inject(UserAccess) private readonly userAccess: UserAccess,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(Quotas) private readonly quotas: Quotas,
  ) {}

  /**
   * @param placeOf returns the name of the draft at an index, for error messages.
   * @throws {ChatError} `BAD_REQUEST` for the first draft that cannot be stored.
   */
  async check(
    scope: OrganizationScope,
    actor: Actor,
    drafts: readonly DraftInput[],
    placeOf: (index: number) => string,
  ): Promise<CheckedDraft[]> {
    for (const { type, to } of drafts) {
      if (type !== 'private') continue
      const { size } = new Set([...to, actor.userId])
      this.quotas.require('usersPerDirectConversation', size)
    }
    const allowedRecipients = {
      channelIds: await this.#readableChannels(scope, actor, idsOf(drafts, 'stream')),
      userIds: await this.#knownUsers(scope, actor, idsOf(drafts, 'private')),
    }
    return drafts.map((draft, index) =>
      checked(draft, placeOf(index), allowedRecipients, actor.userId, this.clock.now() / 1000),
    )
  }

  async #readableChannels(
    scope: OrganizationScope,
    actor: Actor,
    ids: readonly number[],
  ): Promise<ReadonlySet<number>> {
    const readable = new Set<number>()
    for (const found of await this.channels.findManyForUser(scope, ids, actor.userId)) {
      if (found.channel.is_archived) continue
      if (await this.access.hasContentAccess(actor, found)) readable.add(found.channel.id)
    }
    return readable
  }

  async #knownUsers(
    scope: OrganizationScope,
    actor: Actor,
    ids: readonly number[],
  ): Promise<ReadonlySet<number>> {
    const found = await this.users.findMany(scope, ids)
    const known = await this.userAccess.filterAccessible(scope, actor, found)
    return new Set(known.map(({ id }) => id))
  }
}

function idsOf(drafts: readonly DraftInput[], type: DraftInput['type']): number[] {
  return [...new Set(drafts.filter((draft) => draft.type === type).flatMap(({ to }) => to))]
}

function checked(
  draft: DraftInput,
  place: string,
  allowedRecipients: AllowedRecipients,
  ownerId: number,
  now: number,
): CheckedDraft {
  if (draft.content.trim() === '')
    throw badRequest('PARAMETER_BLANK', { parameter: `${place}["content"]` })
  const stored = storedDraft(draft, ownerId, now)
  if (stored.type === 'stream' && !draft.to.every((id) => allowedRecipients.channelIds.has(id))) {
    throw badRequest('CHANNEL_ID_INVALID')
  }
  if (stored.type === 'private') {
    const unknownId = draft.to.find((id) => !allowedRecipients.userIds.has(id))
    if (unknownId !== undefined) throw badRequest('RECIPIENT_ID_INVALID', { userId: unknownId })
  }
  return stored
}

/**
 * Converts a draft to the stored form, without checking that its recipients exist.
 *
 * @param now the time of the edit if the draft has no `timestamp`, in seconds.
 * @throws {ChatError} `BAD_REQUEST` if it is inconsistent.
 */
export function storedDraft(draft: DraftInput, ownerId: number, now: number): CheckedDraft {
  const content = normalizeContent(draft.content)
  const { timestamp = now } = draft
  if (timestamp < 0) throw badRequest('DRAFT_TIMESTAMP_NEGATIVE')
  const base = { content, edited_at_seconds: timestamp }
  if (draft.type === 'stream') {
    const topic = truncateTopic(draft.topic)
    if (topic.includes('\0')) throw badRequest('TOPIC_WITH_NULL_BYTES')
    const position = unstorableCharacterPosition(topic)
    if (position !== undefined) throw badRequest('TOPIC_WRONG_CHARACTER', { position })
    const [channelId, ...more] = draft.to
    if (channelId === undefined || more.length > 0) {
      throw badRequest('DRAFT_CHANNEL_NOT_ONE')
    }
    return { ...base, type: 'stream', recipient_ids: toJson([channelId]), topic }
  }
  if (draft.type === 'private' && draft.to.length > 0) {
    const others = [...new Set(draft.to)].filter((id) => id !== ownerId).sort((a, b) => a - b)
    // Only a draft to oneself lists its owner among the recipients.
    const userIds = others.length === 0 ? [ownerId] : others
    return { ...base, type: 'private', recipient_ids: toJson(userIds), topic: '' }
  }
  return { ...base, type: '', recipient_ids: toJson([]), topic: '' }
}
