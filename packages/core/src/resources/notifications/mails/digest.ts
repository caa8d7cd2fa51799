import type { MissedMessage } from './mail-template.js'

/** The contents of a mail about the messages that a user has missed within a week. */
export interface Digest {
  /** The name of the organization. */
  readonly organization: string
  /** Full name of the recipient of the mail. */
  readonly recipient: string
  /** The tag of the language of the recipient's mails, such as `en`. */
  readonly language: string
  /**
   * The number of unread messages in channels since the last visit, within a week; at most 2,000
   * are counted.
   */
  readonly messageCount: number
  /** Up to four topics; undefined if mails must not contain texts and names. */
  readonly topics: readonly DigestTopic[] | undefined
  /** Up to ten public channels that were created meanwhile; undefined as `topics`. */
  readonly newChannels: readonly DigestChannel[] | undefined
  /** Where the chat is. */
  readonly url: string
  /** URL of the page on which the recipient turns off digests. */
  readonly unsubscribeUrl: string
}

/** A topic that the recipient of a digest has not read. */
export interface DigestTopic {
  readonly channel: string
  readonly topic: string
  /** Where the chat shows the first unread message. */
  readonly url: string
  readonly messageCount: number
  /** Full names of up to five senders, those with most messages first. */
  readonly participants: readonly string[]
  readonly participantCount: number
  /** The first unread messages, at most three, each of at most 500 characters. */
  readonly messages: readonly MissedMessage[]
}

/** A new channel in a digest. */
export interface DigestChannel {
  readonly name: string
  readonly url: string
}
