/** The HTML of a message and the metadata from its rendering. Lists of ids are sorted. */
export interface RenderedMarkdown {
  readonly html: string
  /** Active users mentioned neither silently nor in a quote. */
  readonly mentionedUserIds: readonly number[]
  /** Active groups mentioned neither silently nor in a quote. */
  readonly mentionedGroupIds: readonly number[]
  /** Whether `@**all**` or one of its synonyms notifies every subscriber. */
  readonly mentionsChannelWildcard: boolean
  /** Whether `@**topic**` notifies the participants of the topic. */
  readonly mentionsTopicWildcard: boolean
  /** Users with an alert word in the text. */
  readonly alertedUserIds: readonly number[]
  /** Path ids of all linked or played uploads, in quotes too. */
  readonly attachmentPathIds: readonly string[]
  readonly hasLink: boolean
  /** Whether any image or video preview is shown. */
  readonly hasImage: boolean
  /** Path ids of images shown as a spinner: render again when their thumbnail is made. */
  readonly pendingThumbnailPathIds: readonly string[]
}

const none: readonly never[] = Object.freeze([])

/** Collects the metadata during the rendering of one message. */
export class SideData {
  readonly mentionedUserIds = new Set<number>()
  readonly mentionedGroupIds = new Set<number>()
  readonly alertedUserIds = new Set<number>()
  readonly attachmentPathIds = new Set<string>()
  readonly pendingThumbnailPathIds = new Set<string>()
  mentionsChannelWildcard = false
  mentionsTopicWildcard = false
  hasLink = false
  hasImage = false

  /** Combines the metadata with the finished `html`. */
  toRendered(html: string): RenderedMarkdown {
    return {
      html,
      mentionedUserIds: sortedNumbers(this.mentionedUserIds),
      mentionedGroupIds: sortedNumbers(this.mentionedGroupIds),
      mentionsChannelWildcard: this.mentionsChannelWildcard,
      mentionsTopicWildcard: this.mentionsTopicWildcard,
      alertedUserIds: sortedNumbers(this.alertedUserIds),
      attachmentPathIds: sortedStrings(this.attachmentPathIds),
      hasLink: this.hasLink,
      hasImage: this.hasImage,
      pendingThumbnailPathIds: sortedStrings(this.pendingThumbnailPathIds),
    }
  }
}

function sortedNumbers(set: ReadonlySet<number>): readonly number[] {
  return set.size === 0 ? none : [...set].sort((a, b) => a - b)
}

function sortedStrings(set: ReadonlySet<string>): readonly string[] {
  return set.size === 0 ? none : [...set].sort()
}
