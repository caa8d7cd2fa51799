import { castOf } from './cast.js'
import type { Client } from './client.js'
import type { HostCase, TestHost } from './host.js'
import { pixel } from './rich-organization.js'

/** An organization with `size` items of every kind. */
export interface Crowd {
  /** The usual users and channels; all users are subscribed to `general`. */
  readonly cast: HostCase
  /** Owner, with all permissions. */
  readonly olga: Client
  /** A member with most items of every kind, and a password. */
  readonly alice: Client
  readonly nobody: Client
  /** The ids of `size` members, subscribed to the hall only. */
  readonly users: readonly number[]
  /** Ids of channels to which all users are subscribed; the first is the hall. */
  readonly channels: readonly number[]
  /** Groups that contain all users; each contains the next. */
  readonly groups: readonly number[]
  /** Messages in the hall's topic `talk`, each by another user, with a reaction of every user. */
  readonly messages: readonly number[]
  /** The ids of alice's bots and scheduled messages; there are as many other items. */
  readonly bots: readonly number[]
  readonly scheduled: readonly number[]
}

/** Loads such an organization. */
export async function crowd(host: TestHost, base: number, size: number): Promise<Crowd> {
  const subdomain = `crowd-${base}`
  const options = { passwords: ['alice'] } as const
  const cast = castOf(base + 1, subdomain, options, (credentials, id, name) =>
    host.client(subdomain, credentials, id, name),
  )
  const { people } = cast
  const [olga, alice] = [people.olga.id, people.alice.id]
  let next = base + Object.keys(people).length
  const ids = (): number[] => Array.from({ length: size }, () => (next += 1))
  const lists = {
    users: ids(),
    channels: ids(),
    groups: ids(),
    messages: ids(),
    directs: ids(),
    bots: ids(),
    drafts: ids(),
    snippets: ids(),
    scheduled: ids(),
    linkifiers: ids(),
    playgrounds: ids(),
  }
  const { users, channels, groups } = lists
  const everyone = [olga, alice, people.bob.id, people.carol.id, ...users]
  const named = (name: string, id: number) => ({
    id,
    email: `${name}@${subdomain}.example`,
    full_name: `Crowd ${name}`,
    api_key: `${name}${base}`.padEnd(32, 'x'),
    joined_at_seconds: 1_700_000_000,
  })
  const nth = (list: readonly number[], index: number): number => list[index] as number
  const hall = nth(channels, 0)
  const { file } = cast
  file.channels.find(({ name }) => name === 'general')?.subscribers.push(...users)
  await host.chat.organizations.load({
    ...file,
    users: [...file.users, ...users.map((id) => named(`user${id}`, id))],
    bots: [
      ...file.bots,
      ...lists.bots.map((id) => ({ ...named(`bot${id}`, id), owner_id: alice })),
    ],
    groups: groups.map((id, index) => ({
      id,
      name: `group ${index}`,
      creator_id: olga,
      members: everyone,
      subgroups: groups.slice(index + 1, index + 2),
    })),
    channels: [
      ...file.channels,
      ...channels.map((id, index) => ({
        id,
        name: `channel ${index}`,
        creator_id: olga,
        subscribers: everyone,
        is_default: true,
      })),
    ],
    messages: [
      ...lists.messages.map((id, index) => ({
        id,
        sender_id: nth(users, index),
        channel_id: hall,
        topic: 'talk',
        content: `Number ${index}`,
        starred_by: [alice],
      })),
      ...lists.directs.map((id, index) => ({
        id,
        sender_id: nth(users, index),
        to: [alice],
        content: `Direct ${index}`,
      })),
    ],
    reactions: users.map((user_id) => ({
      message_id: lists.messages[0],
      user_id,
      emoji_name: 'tada',
    })),
    user_topics: users.map((user_id) => ({
      user_id,
      channel_id: hall,
      topic: 'talk',
      policy: 'followed',
    })),
    alert_words: everyone.map((user_id) => ({ user_id, words: ['talk', `word ${user_id}`] })),
    muted_users: users.slice(1).map((id) => ({ user_id: alice, muted_user_id: id })),
    user_statuses: users.map((user_id) => ({ user_id, status_text: 'Here' })),
    drafts: lists.drafts.map((id) => ({
      id,
      user_id: alice,
      type: 'stream',
      to: [hall],
      topic: 'talk',
      content: 'Draft',
    })),
    saved_snippets: lists.snippets.map((id) => ({
      id,
      user_id: alice,
      title: `Snippet ${id}`,
      content: 'x',
    })),
    navigation_views: lists.snippets.map((id) => ({
      user_id: alice,
      fragment: `narrow/${id}`,
      is_pinned: true,
      name: `View ${id}`,
    })),
    scheduled_messages: lists.scheduled.map((id) => ({
      id,
      user_id: alice,
      channel_id: hall,
      topic: 'talk',
      content: 'Later',
      deliver_at_seconds: 4_000_000_000,
    })),
    linkifiers: lists.linkifiers.map((id) => ({
      id,
      pattern: `P${id}-(?P<n>[0-9]+)`,
      url_template: 'https://links.example/{n}',
    })),
    playgrounds: lists.playgrounds.map((id) => ({
      id,
      name: `Playground ${id}`,
      pygments_language: 'Python',
      url_template: 'https://play.example/{code}',
    })),
    custom_emoji: lists.playgrounds.map((id, index) => ({
      id,
      name: `emoji${index}`,
      image: pixel,
    })),
  })
  return {
    cast: { ...cast, host, clock: host.clock },
    olga: people.olga,
    alice: people.alice,
    nobody: cast.nobody,
    ...lists,
  }
}
