import { knownOptions } from '../../../kernel/known-options.js'
import { externalIdOf } from '../../people/users/index.js'
import { normalizeChannelDescription, normalizeChannelName } from '../channels/index.js'

/** A user in a list of subscribers: by the chat's id, or by the application's. */
export type SubscriberReference =
  | { readonly userId: number }
  | { readonly externalId: string | number }

/**
 * The channel of a thing of the application, such as a project. A property that is left out keeps
 * its value, or has the default of new channels.
 */
export interface EnsuredChannel {
  /**
   * The application's id of the channel, such as `project:42`: a string of 1 to 190 characters, or
   * an integer, which is the same as its decimal text. Unique in the organization; clients do not
   * see it.
   */
  readonly externalId: string | number
  /** 1 to 60 characters, unique in the organization. */
  readonly name: string
  /** Markdown in one line, at most 1,024 characters. @default '' */
  readonly description?: string
  /** Whether only its subscribers can see it. @default false */
  readonly isPrivate?: boolean
  /**
   * Whether new subscribers of a private channel can read earlier messages.
   * @default false; a public channel's history is always shared
   */
  readonly isHistoryShared?: boolean
  /** Whether new users are subscribed to it. @default false */
  readonly isDefault?: boolean
  /** The id of a channel folder; null for none. @default null */
  readonly folderId?: number | null
  /**
   * Whether the Notification Bot tells of a new channel, in the channel itself and where the
   * organization announces new channels.
   * @default false
   */
  readonly announce?: boolean
  /**
   * All subscribers, also bots: others are unsubscribed. Deactivated users are left out.
   * @default the users who are subscribed; nobody in a new channel
   */
  readonly subscribers?: readonly SubscriberReference[]
  /** False restores an archived channel. @default an archived channel stays as it is */
  readonly isArchived?: false
  /** The `subdomain` of the organization. @default the only organization */
  readonly organization?: string
}

/** The result of `chat.channels.ensure`. */
export interface EnsureResult {
  /** The chat's id of the channel. */
  readonly id: number
  /** Whether the channel is new. */
  readonly created: boolean
}

/** A channel that has an id of the application. */
export interface ApplicationChannel {
  /** The chat's id of the channel. */
  readonly id: number
  /** The application's id of the channel, as text. */
  readonly externalId: string
  readonly name: string
  readonly description: string
  readonly isPrivate: boolean
  readonly isArchived: boolean
}

/** An {@link EnsuredChannel} with its texts as they are stored. */
export interface CheckedChannel extends Omit<EnsuredChannel, 'subscribers'> {
  readonly externalId: string
  readonly subscribers: Subscribers | undefined
}

export interface Subscribers {
  readonly userIds: readonly number[]
  readonly externalIds: readonly string[]
}

const call = 'chat.channels.ensure'

/**
 * @throws {TypeError} naming a property of the wrong type.
 * @throws {ChatError} `BAD_REQUEST` if the name or the description is invalid.
 */
export function checkChannel(channel: EnsuredChannel): CheckedChannel {
  const { externalId, name, description, folderId, subscribers } = channel
  knownOptions(call, channel, {
    externalId: true,
    name: true,
    description: true,
    isPrivate: true,
    isHistoryShared: true,
    isDefault: true,
    folderId: true,
    subscribers: true,
    announce: true,
    isArchived: true,
    organization: true,
  })
  require('name', typeof name === 'string', 'a string')
  require('description', isOptional(description, 'string'), 'a string')
  for (const property of ['isPrivate', 'isHistoryShared', 'isDefault', 'announce'] as const) {
    require(property, isOptional(channel[property], 'boolean'), 'a boolean')
  }
  const { isArchived }: { isArchived?: unknown } = channel
  require('isArchived', isArchived === undefined || isArchived === false, 'false, if it is given')
  const isFolder = folderId === undefined || folderId === null || Number.isSafeInteger(folderId)
  require('folderId', isFolder, 'an integer or null')
  return {
    ...channel,
    externalId: requireChannelId(call, externalId),
    name: normalizeChannelName(name),
    ...(description !== undefined && { description: normalizeChannelDescription(description) }),
    subscribers: subscribers === undefined ? undefined : checkSubscribers(subscribers),
  }
}

/** @throws {TypeError} if it is neither a string of 1 to 190 characters nor an integer. */
export function requireChannelId(place: string, value: unknown): string {
  const externalId = externalIdOf(value)
  if (externalId !== undefined) return externalId
  throw new TypeError(`${place}: externalId must be a string of 1 to 190 characters or an integer`)
}

function checkSubscribers(subscribers: readonly SubscriberReference[]): Subscribers {
  require('subscribers', Array.isArray(subscribers), 'an array')
  const userIds = new Set<number>()
  const externalIds = new Set<string>()
  for (const [index, reference] of subscribers.entries()) {
    const { userId, externalId }: { userId?: unknown; externalId?: unknown } = reference ?? {}
    const text = externalIdOf(externalId)
    const isUserId = typeof userId === 'number' && Number.isSafeInteger(userId)
    require(`subscribers[${index}]`, isUserId ||
      text !== undefined, 'an object with userId or externalId')
    if (isUserId) userIds.add(userId)
    else if (text !== undefined) externalIds.add(text)
  }
  return { userIds: [...userIds], externalIds: [...externalIds] }
}

function isOptional(value: unknown, type: 'string' | 'boolean'): boolean {
  return value === undefined || typeof value === type
}

function require(property: string, isRight: boolean, expected: string): void {
  if (!isRight) throw new TypeError(`${call}: ${property} must be ${expected}`)
}
