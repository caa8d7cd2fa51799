import type { AlertWordIndex } from './alert-words.js'
import type { CompiledLinkifiers } from './linkifiers.js'

/** A user as a mention needs them. */
export interface MentionableUser {
  readonly id: number
  readonly fullName: string
  /** Deactivated users are shown, but always as a silent mention. */
  readonly isActive: boolean
}

/** A user group as a mention needs it. */
export interface MentionableGroup {
  readonly id: number
  readonly name: string
  /** Deactivated groups are shown, but always as a silent mention. */
  readonly isActive: boolean
  /** Shown instead of the name; system groups have one ("Administrators"). */
  readonly displayName?: string
}

/** A channel whose content the acting user may read. */
export interface LinkableChannel {
  readonly id: number
  readonly name: string
}

/** An active custom emoji of the organization. */
export interface CustomEmoji {
  readonly name: string
  /** Address of the image, put into `src` as it is. */
  readonly sourceUrl: string
}

/** A stored upload as previews need it. */
export interface UploadedFile {
  /** What follows `/user_uploads/` in its address. */
  readonly pathId: string
  readonly contentType: string
  /** Present when the upload is known to be an image. */
  readonly image?: UploadedImage
}

/** What is known of an uploaded image. */
export interface UploadedImage {
  readonly widthPixels: number
  readonly heightPixels: number
  /** False while the thumbnail is still being made; the HTML then shows a spinner. */
  readonly isThumbnailed: boolean
  readonly isAnimated: boolean
  /** File name of a copy in a format that browsers can show, such as `4000x3000.webp`. */
  readonly transcodedName?: string
}

/** Open-graph or oEmbed data of a website, fetched after the message was sent. */
export interface WebsitePreview {
  readonly title?: string
  readonly description?: string
  /** Address of the preview image; without one there is no preview. */
  readonly imageUrl?: string
  /** HTML of an oEmbed video. Escaped into an attribute, never put into the page. */
  readonly videoHtml?: string
}

/** The organization's and the sender's settings that change what a message looks like. */
export interface MarkdownSettings {
  /** Whether images and videos are shown below the links to them. */
  readonly previewsImages: boolean
  /** Whether linked websites are shown as cards once their data was fetched. */
  readonly previewsWebsites: boolean
  /** Language of a fence that names none; `''` for none. */
  readonly defaultCodeBlockLanguage: string
  /** Whether `:)` and the like become emoji: the sender's own setting. */
  readonly translatesEmoticons: boolean
  /** What a topic without a name is called. */
  readonly emptyTopicDisplayName: string
  /** Longest message in code points; the HTML may be a hundred times as long. */
  readonly maxMessageLength: number
}

/**
 * Everything a render asks about the world outside the message. Look-ups are synchronous: a caller
 * runs {@link collectReferences} first and answers each kind with one query. They already know who
 * is acting: a user or channel that the acting user may not see is not found.
 */
export interface MarkdownContext {
  /** Origin of the organization without a slash at the end, such as `https://chat.example.org`. */
  readonly organizationUrl: string
  readonly settings: MarkdownSettings
  /** The instant that relative parts of a written time refer to. */
  readonly now: Date
  readonly findUser: (id: number) => MentionableUser | undefined
  /** By full name, ignoring case. With several users of one name any of them may be returned. */
  readonly findUserByName: (fullName: string) => MentionableUser | undefined
  /** By exact name. */
  readonly findGroupByName: (name: string) => MentionableGroup | undefined
  /** By exact name. */
  readonly findChannelByName: (name: string) => LinkableChannel | undefined
  /** The latest message of a topic that the acting user can see. */
  readonly findLatestMessageId: (channelId: number, topic: string) => number | undefined
  /** By exact name; deactivated ones are not found. */
  readonly findCustomEmoji: (name: string) => CustomEmoji | undefined
  /** By path id, exactly as it stands in the address. */
  readonly findUpload: (pathId: string) => UploadedFile | undefined
  readonly linkifiers?: CompiledLinkifiers
  readonly alertWords?: AlertWordIndex
  /**
   * Address of `url`, which is on another host, behind the content proxy. Without one its content
   * is not shown: readers would load it from the other host.
   */
  readonly toProxyUrl?: (url: string) => string | undefined
  /** Data of a website, if it was fetched already. */
  readonly findWebsitePreview?: (url: string) => WebsitePreview | undefined
  /** Colours code. Without it code blocks are plain. */
  readonly highlight?: CodeHighlighter
  /**
   * True for text that came in by e-mail, where indentation means nothing.
   *
   * @default false
   */
  readonly isFromEmail?: boolean
  /** Milliseconds of any monotonic clock. With it a render gives up after 5 seconds. */
  readonly clock?: () => number
  /** Told once, at the end, how many operations the render took. For tests and metrics. */
  readonly onOperationsCounted?: (operations: number) => void
}

/** A run of code and the Pygments class it is shown in; plain when there is no class. */
export interface CodeToken {
  readonly text: string
  readonly className?: string
}

/**
 * Colours `code` written in `language` (an alias such as `py`). `undefined` when the language is not
 * known: the code is then shown plain. The texts must add up to `code`.
 */
export type CodeHighlighter = (code: string, language: string) => readonly CodeToken[] | undefined
