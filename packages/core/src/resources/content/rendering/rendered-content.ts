import { parseJson } from '../../../storage/index.js'
import type { MentionableGroup, RenderedMarkdown } from '../../../markdown/index.js'
import { escapeHtml } from '../../../kernel/html.js'
import { decodePathId } from '../../files/attachments/index.js'
import type { RenderOptions } from './markdown-context.js'
import type { ReferencedGroup } from './reference-repository.js'

/** Descriptions have at most 1024 characters, whose escaped text has fewer bytes than this. */
export const maxDescriptionHtmlBytes = 8192

/** Bits of `messages.content_traits`. */
export const contentTraits = { link: 1, image: 2, attachment: 4 } as const

/** A group that a message mentions, to check whether the author may mention it. */
export interface MentionedGroup {
  readonly id: number
  readonly name: string
  /** The group whose members may mention it. */
  readonly canMentionGroupId: number
}

/** The HTML of a message, and the objects that the message refers to. */
export interface RenderedContent {
  readonly html: string
  /** Mask of {@link contentTraits}. */
  readonly traits: number
  /** Users that the message mentions by name; silent mentions are excluded. */
  readonly mentionedUserIds: readonly number[]
  /** Groups that the message mentions by name. */
  readonly mentionedGroups: readonly MentionedGroup[]
  readonly mentionsChannel: boolean
  readonly mentionsTopic: boolean
  /** Users with an alert word that the message contains. */
  readonly alertedUserIds: readonly number[]
  /** Uploads that the message links to and that its author may read. */
  readonly attachmentIds: readonly number[]
}

/** Display names of system groups. */
const systemGroupDisplayNames: Readonly<Record<string, string>> = {
  'role:nobody': 'Nobody',
  'role:owners': 'Owners',
  'role:administrators': 'Administrators',
  'role:moderators': 'Moderators',
  'role:fullmembers': 'Full members',
  'role:members': 'Members',
  'role:everyone': 'Everyone',
  'role:internet': 'Everyone on the internet',
}

const noUploads: ReadonlyMap<string, number> = new Map()

/**
 * Combines a rendered message with the objects that it refers to.
 *
 * @param groups the groups that it may mention.
 * @param uploads the ids of the uploads that it may link to, by path id.
 */
export function renderedContentOf(
  rendered: RenderedMarkdown,
  groups: readonly ReferencedGroup[],
  uploads: ReadonlyMap<string, number> = noUploads,
): RenderedContent {
  const attachmentIds = [
    ...new Set(
      rendered.attachmentPathIds.flatMap((pathId) => uploads.get(decodePathId(pathId)) ?? []),
    ),
  ]
  const byId = new Map(groups.map((group) => [group.id, group]))
  return {
    html: rendered.html,
    traits:
      (rendered.hasLink ? contentTraits.link : 0) |
      (rendered.hasImage ? contentTraits.image : 0) |
      (attachmentIds.length > 0 ? contentTraits.attachment : 0),
    mentionedUserIds: rendered.mentionedUserIds,
    mentionedGroups: rendered.mentionedGroupIds.flatMap((id) => {
      const group = byId.get(id)
      return group === undefined ? [] : [mentionedGroup(group)]
    }),
    mentionsChannel: rendered.mentionsChannelWildcard,
    mentionsTopic: rendered.mentionsTopicWildcard,
    alertedUserIds: rendered.alertedUserIds,
    attachmentIds,
  }
}

/**
 * Limits the HTML of descriptions, which everybody gets with `POST /register`: one that is longer
 * is replaced by the text itself.
 */
export function limitedHtml(html: string, text: string, { isDescription }: RenderOptions): string {
  if (isDescription !== true || Buffer.byteLength(html) <= maxDescriptionHtmlBytes) return html
  return `<p>${escapeHtml(text).replaceAll('\n', '<br>')}</p>`
}

/** Converts a group to the form that the Markdown renderer uses. */
export function mentionableGroup(group: ReferencedGroup): MentionableGroup {
  const displayName = systemGroupDisplayNames[group.name]
  return {
    id: group.id,
    name: group.name,
    isActive: !group.is_deactivated,
    ...(displayName === undefined ? {} : { displayName }),
  }
}

function mentionedGroup(group: ReferencedGroup): MentionedGroup {
  const { can_mention_group } = parseJson(group.settings)
  return { id: group.id, name: group.name, canMentionGroupId: can_mention_group }
}
