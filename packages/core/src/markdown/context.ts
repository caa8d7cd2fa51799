import type { AlertWordIndex } from './alert-words.js'
import type { CompiledLinkifiers } from './linkifiers.js'

/** The data of a user for a mention. */
export interface MentionableUser {
  readonly id: number
  readonly fullName: string
  /** Deactivated users, and others who get no notifications, are shown as a silent mention. */
  readonly isActive: boolean
}

/** The data of a user group for a mention. */
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
  /** URL of the image, used in `src` unchanged. */
  readonly sourceUrl: string
}

/** The data of a stored upload for previews. */
export interface UploadedFile {
  /** The part of its URL after `/user_uploads/`. */
  readonly pathId: string
  readonly contentType: string
  /** Present if the upload is known to be an image. */
  readonly image?: UploadedImage
}

/** Properties of an uploaded image. */
export interface UploadedImage {
  readonly widthPixels: number
  readonly heightPixels: number
  /** False while the thumbnail is still being made; the HTML then shows a spinner. */
  readonly isThumbnailed: boolean
  readonly isAnimated: boolean
  /** File name of a copy in a format that browsers can show, such as `4000x3000.webp`. */
  readonly transcodedName?: string
}

/** The settings of the organization and the sender that affect rendering. */
export interface MarkdownSettings {
  /** Whether images and videos are shown below their links. */
  readonly previewsImages: boolean
  /** Language of a fence that names none; `''` for none. */
  readonly defaultCodeBlockLanguage: string
  /** Whether emoticons such as `:)` become emoji: the sender's own setting. */
  readonly translatesEmoticons: boolean
  /** The display name of the empty topic. */
  readonly emptyTopicDisplayName: string
  /** Maximum length of a message in code points; the HTML may be a hundred times as long. */
  readonly maxMessageLength: number
}

/**
 * The data outside the message that a render needs. Look-ups are synchronous: a caller runs
 * {@link collectReferences} first and loads each kind with one query. Look-ups return only data
 * visible to the acting user.
 */
export interface MarkdownContext {
  /**
   * URL of the organization (its `realm_url`) without a trailing slash, such as
   * `https://chat.example.org` or, with a base path, `https://product.example/chat`.
   */
  readonly organizationUrl: string
  readonly settings: MarkdownSettings
  /** The time that relative parts of a written time refer to. */
  readonly now: Date
  readonly findUser: (id: number) => MentionableUser | undefined
  /** By full name, ignoring case. If several users have the name, any of them may be returned. */
  readonly findUserByName: (fullName: string) => MentionableUser | undefined
  /** By exact name. */
  readonly findGroupByName: (name: string) => MentionableGroup | undefined
  /** By exact name. */
  readonly findChannelByName: (name: string) => LinkableChannel | undefined
  /** The latest message of a topic that the acting user can see. */
  readonly findLatestMessageId: (channelId: number, topic: string) => number | undefined
  /** By exact name; deactivated ones are not found. */
  readonly findCustomEmoji: (name: string) => CustomEmoji | undefined
  /** By path id, exactly as in the URL. */
  readonly findUpload: (pathId: string) => UploadedFile | undefined
  readonly linkifiers?: CompiledLinkifiers
  readonly alertWords?: AlertWordIndex
  /**
   * URL of the content proxy for `url`, which is on another host. Without one, the content is not
   * shown: readers would load it from the other host.
   */
  readonly toProxyUrl?: (url: string) => string | undefined
  /** Highlights code. Without it, code blocks are plain. */
  readonly highlight?: CodeHighlighter
  /** True for text that was received by e-mail, where indentation has no meaning. @default false */
  readonly isFromEmail?: boolean
  /** Milliseconds of any monotonic clock. With it, a render is aborted after 5 seconds. */
  readonly clock?: () => number
  /**
   * Called once, at the end, with the number of operations of the render. For tests and metrics.
   */
  readonly onOperationsCounted?: (operations: number) => void
}

/** A run of code and its Pygments class; plain if there is no class. */
export interface CodeToken {
  readonly text: string
  readonly className?: string
}

/**
 * Highlights `code` written in `language` (an alias such as `py`). `undefined` if the language is
 * unknown: the code is then shown plain. The concatenated texts must equal `code`.
 */
export type CodeHighlighter = (code: string, language: string) => readonly CodeToken[] | undefined
