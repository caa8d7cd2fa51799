import {
  defaultOrganizationSettings,
  systemGroupNames,
  type OrganizationSettings,
} from '../../../domain/organizations/organization-settings.js'
import { GroupGraph, systemGroupsOf } from '../../../domain/organizations/permission-groups.js'
import { foldCase } from '../../../domain/texts/folding.js'
import { Role } from '../../../domain/users/actor.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { addTo } from '../../../kernel/grouping.js'
import { present } from '../../../kernel/present.js'
import type { ServerFacts } from '../../../kernel/server-facts.js'
import { AlertWordIndex, compileLinkifiers } from '../../../markdown/index.js'
import { toJson } from '../../../storage/index.js'
import { emojiOfFile } from '../../content/emoji/index.js'
import { InMemoryRenderer } from '../../content/rendering/index.js'
import type { FileChannel, FileGroupValue, FileSubscription } from './organization-file-items.js'
import type { OrganizationFile } from './organization-file-schema.js'

interface Account {
  readonly id: number
  readonly fullName: string
  readonly role: Role
  readonly isActive: boolean
  readonly isBot: boolean
  readonly joinedAtSeconds: number
}

/** The users, groups and channels of an organization file, indexed by key. */
export class ImportContext {
  /** The newest message of each topic so far, by channel and folded topic. */
  readonly latestMessages = new Map<string, number>()
  readonly renderer: InMemoryRenderer
  /** The settings of the file, with the defaults for those that it leaves out. */
  readonly settings: OrganizationSettings
  readonly #accounts: ReadonlyMap<number, Account>
  readonly #channels: ReadonlyMap<number, FileChannel>
  readonly #graph: GroupGraph
  readonly #groupIds: ReadonlyMap<string, number>
  readonly #directGroups = new Map<number, number[]>()
  readonly #subscriptions = new Map<number, Map<number, FileSubscription>>()
  readonly #receivers = new Map<number, ReadonlySet<number>>()
  /** Active members, by the joined ids of the groups. */
  readonly #members = new Map<string, readonly number[]>()
  /** Our ids of the system groups, by their ids in the file. */
  readonly #systemIds: ReadonlyMap<number, number>
  readonly #nowSeconds: number

  constructor(
    readonly file: OrganizationFile,
    readonly createdAtSeconds: number,
    private readonly facts: ServerFacts,
    private readonly clock: Clock,
    private readonly toProxyUrl: (url: string) => string | undefined,
  ) {
    this.settings = { ...defaultOrganizationSettings, ...file.organization.settings }
    this.#accounts = accountsOf(file, createdAtSeconds)
    this.#channels = new Map((file.channels ?? []).map((channel) => [channel.id, channel]))
    // System groups have no ids yet: they get negative ids here.
    this.#groupIds = new Map([
      ...systemGroupNames.map((name, index) => [name, -1 - index] as const),
      ...namedGroups(file).map(({ name, id }) => [name, id] as const),
    ])
    const systemNames: readonly string[] = systemGroupNames
    this.#systemIds = new Map(
      (file.groups ?? [])
        .map(({ id, name }) => [id, -1 - systemNames.indexOf(name)] as const)
        .filter(([, systemId]) => systemId < 0),
    )
    this.#nowSeconds = nowSeconds(clock)
    this.#graph = this.#makeGraph()
    this.#noteSubscriptions()
    this.renderer = this.#makeRenderer()
  }

  isActive(userId: number): boolean {
    return this.#accounts.get(userId)?.isActive ?? false
  }

  isBot(userId: number): boolean {
    return this.#accounts.get(userId)?.isBot ?? false
  }

  /** Every subscription, in the order of the file. */
  *subscriptions(): Iterable<FileSubscription> {
    for (const ofChannel of this.#subscriptions.values()) yield* ofChannel.values()
  }

  /** The active users who receive the channel's messages. */
  receiversOf(channelId: number): ReadonlySet<number> {
    let receivers = this.#receivers.get(channelId)
    if (receivers === undefined) {
      const all = [...(this.#subscriptions.get(channelId)?.values() ?? [])]
      receivers = new Set(
        all
          .filter(({ user_id, is_active = true }) => is_active && this.isActive(user_id))
          .map(({ user_id }) => user_id),
      )
      this.#receivers.set(channelId, receivers)
    }
    return receivers
  }

  get waitingPeriodDays(): number {
    return this.settings.waiting_period_threshold
  }

  /** The active members of the groups, at any depth. */
  membersOf(groupIds: readonly number[]): readonly number[] {
    const key = groupIds.toSorted((a, b) => a - b).join()
    let members = this.#members.get(key)
    if (members === undefined) {
      const contained = this.#graph.containedIn(groupIds)
      members = [...this.#accounts.values()]
        .filter(({ isActive }) => isActive)
        .filter((account) => this.#directGroupsOf(account).some((id) => contained.has(id)))
        .map(({ id }) => id)
      this.#members.set(key, members)
    }
    return members
  }

  #directGroupsOf(account: Account): readonly number[] {
    const own = systemGroupsOf(account, this.waitingPeriodDays, this.#nowSeconds).map((name) =>
      this.#graph.systemGroupId(name),
    )
    return [...own, ...(this.#directGroups.get(account.id) ?? [])]
  }

  #makeGraph(): GroupGraph {
    const groups = namedGroups(this.file)
    for (const { id, members = [] } of groups) {
      for (const userId of members) addTo(this.#directGroups, userId, id)
    }
    const systemIds = systemGroupNames.map((_, index) => -1 - index)
    return new GroupGraph(
      [
        ...systemGroupNames.map((name, index) => ({
          id: -1 - index,
          name,
          isSystemGroup: true,
          isDeactivated: false,
        })),
        ...groups.map(({ id, name, is_deactivated = false }) => ({
          id,
          name,
          isSystemGroup: false,
          isDeactivated: is_deactivated,
        })),
      ],
      [
        ...systemIds.slice(2).map((id) => ({ group_id: id, subgroup_id: id + 1 })),
        ...groups.flatMap(({ id, subgroups = [] }) =>
          subgroups.map((group) => ({ group_id: id, subgroup_id: this.#groupId(group) })),
        ),
      ],
    )
  }

  #groupId(reference: number | string): number {
    if (typeof reference === 'number') return this.#systemIds.get(reference) ?? reference
    return present(this.#groupIds.get(reference), 'a group of the file')
  }

  #noteSubscriptions(): void {
    for (const { id, subscribers = [] } of this.file.channels ?? []) {
      this.#subscriptions.set(
        id,
        new Map(subscribers.map((user_id) => [user_id, { user_id, channel_id: id }])),
      )
    }
    for (const subscription of this.file.subscriptions ?? []) {
      this.#subscriptions.get(subscription.channel_id)?.set(subscription.user_id, subscription)
    }
  }

  #makeRenderer(): InMemoryRenderer {
    const { file } = this
    const { alert_words = [], linkifiers = [], custom_emoji = [] } = file
    const translating = new Set(
      file.users
        .filter((user) => user.settings?.['translate_emoticons'] === true)
        .map(({ id }) => id),
    )
    const groups = [
      ...systemGroupNames.map((name, index) => ({ id: -1 - index, name, is_deactivated: false })),
      ...namedGroups(file).map(({ id, name, is_deactivated = false }) => ({
        id,
        name,
        is_deactivated,
      })),
    ]
    return new InMemoryRenderer(
      {
        settings: this.settings,
        users: [...this.#accounts.values()].sort((a, b) => a.id - b.id),
        groups: groups.map((group) => ({
          ...group,
          description: '',
          is_system_group: group.id < 0,
          // Mention permissions are not checked on import.
          settings: toJson({ can_mention_group: 0 }),
        })),
        channels: [...this.#channels.values()].map(({ id, name }) => ({ id, name: name.trim() })),
        emoji: emojiOfFile(custom_emoji, this.facts),
        linkifiers: compileLinkifiers(
          linkifiers.map(({ pattern, url_template }) => ({ pattern, urlTemplate: url_template })),
        ),
        alertWords: new AlertWordIndex(
          alert_words.flatMap(({ user_id, words }) =>
            distinctWords(words).map((word) => ({ userId: user_id, word })),
          ),
        ),
        translatesEmoticons: (authorId) => translating.has(authorId),
        mayRead: (authorId, channelId) => this.#mayRead(authorId, channelId),
        findLatestMessageId: (channelId, topicKey) =>
          this.latestMessages.get(`${channelId} ${topicKey}`),
      },
      { facts: this.facts, clock: this.clock, toProxyUrl: this.toProxyUrl },
    )
  }

  #mayRead(authorId: number, channelId: number): boolean {
    const channel = this.#channels.get(channelId)
    const subscription = this.#subscriptions.get(channelId)?.get(authorId)
    if (subscription !== undefined && subscription.is_active !== false) return true
    if (channel === undefined) return false
    const { privacy = 'public' } = channel
    if (privacy === 'web_public') return true
    const author = this.#accounts.get(authorId)
    if (author?.role === Role.guest) return false
    if (privacy === 'public') return true
    if (author === undefined) return false
    const { can_subscribe_group, can_add_subscribers_group } = channel.settings ?? {}
    return [can_subscribe_group, can_add_subscribers_group].some(
      (value) => value !== undefined && this.#includes(value, author),
    )
  }

  #includes(value: FileGroupValue, account: Account): boolean {
    const own = this.#graph.containing(this.#directGroupsOf(account))
    if (typeof value !== 'object') return own.has(this.#groupId(value))
    const { direct_members = [], direct_subgroups = [] } = value
    return (
      direct_members.includes(account.id) ||
      direct_subgroups.some((group) => own.has(this.#groupId(group)))
    )
  }
}

function namedGroups(file: OrganizationFile) {
  const system: ReadonlySet<string> = new Set(systemGroupNames)
  return (file.groups ?? []).filter(({ name }) => !system.has(name))
}

function accountsOf(
  file: OrganizationFile,
  createdAtSeconds: number,
): ReadonlyMap<number, Account> {
  const account = (
    item: OrganizationFile['users'][number] | NonNullable<OrganizationFile['bots']>[number],
    isBot: boolean,
  ): readonly [number, Account] => [
    item.id,
    {
      id: item.id,
      fullName: item.full_name.trim(),
      role: item.role ?? Role.member,
      isActive: item.is_active ?? true,
      isBot,
      joinedAtSeconds: item.joined_at_seconds ?? createdAtSeconds,
    },
  ]
  return new Map([
    ...file.users.map((user) => account(user, false)),
    ...(file.bots ?? []).map((bot) => account(bot, true)),
  ])
}

function distinctWords(words: readonly string[]): readonly string[] {
  return [...new Map(words.map((word) => [foldCase(word.trim()), word.trim()])).values()]
}
