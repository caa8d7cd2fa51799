import assert from 'node:assert/strict'

/** The users of the model; olga is the owner, who subscribes to every channel and never leaves. */
export const names = ['olga', 'adam', 'alice', 'bob', 'carol', 'gus'] as const
export type Name = (typeof names)[number]

export const channelNames = ['pub', 'shared', 'hidden'] as const
export type ChannelName = (typeof channelNames)[number]

/** Who has access to a channel, and whether new subscribers may read earlier messages. */
export type Privacy = 'public' | 'private' | 'protected'

/** Groups of the channels' settings: whose members may subscribe, and who may administer. */
export type GroupName = 'joiners' | 'keepers'

interface ModelChannel {
  readonly id: number
  privacy: Privacy
  isArchived: boolean
  /** Whether the joiners may subscribe, and so read. */
  isOpenToJoiners: boolean
  readonly subscribers: Set<Name>
}

interface ModelMessage {
  readonly id: number
  readonly sender: Name
  /** Undefined for direct messages. */
  channel: ChannelName | undefined
  topic: string
  /** The users with a user message. */
  readonly records: Set<Name>
}

/** The events that each user's client is to receive, as short texts. */
export type Expected = ReadonlyMap<Name, readonly string[]>

/**
 * A second implementation of visibility and audiences, as simple as possible, with which the server
 * is compared.
 */
export class VisibilityModel {
  readonly channels = new Map<ChannelName, ModelChannel>()
  readonly messages = new Map<number, ModelMessage>()
  readonly guests = new Set<Name>(['gus'])
  readonly administrators = new Set<Name>(['olga', 'adam'])
  readonly groups: Readonly<Record<GroupName, Set<Name>>> = {
    joiners: new Set(),
    keepers: new Set(),
  }
  /** Whether the group with only carol is a subgroup of the joiners. */
  joinersContainInner = false
  #expected = new Map<Name, string[]>()
  /** The messages that queues for all public channels receive. */
  #expectedToFollow = new Map<Name, number[]>()
  readonly #conversations: ReadonlySet<Name>[] = []

  /**
   * @param isLimited whether guests have access only to users with whom they share a channel or
   * conversation.
   */
  constructor(private readonly isLimited: boolean) {}

  isIn(name: Name, group: GroupName): boolean {
    if (this.groups[group].has(name)) return true
    return group === 'joiners' && this.joinersContainInner && name === 'carol'
  }

  channel(name: ChannelName): ModelChannel {
    const channel = this.channels.get(name)
    assert.ok(channel)
    return channel
  }

  /** Whether the user may read new messages of the channel. */
  reads(name: Name, channelName: ChannelName): boolean {
    const channel = this.channel(channelName)
    if (channel.subscribers.has(name)) return true
    if (this.guests.has(name)) return false
    if (channel.privacy === 'public') return true
    return channel.isOpenToJoiners && this.isIn(name, 'joiners')
  }

  hasAccessTo(name: Name, other: Name): boolean {
    if (name === other || !this.isLimited || !this.guests.has(name)) return true
    const circles = [...this.channels.values()].map(({ subscribers }) => subscribers)
    return [...circles, ...this.#conversations].some((all) => all.has(name) && all.has(other))
  }

  /** Whether the user has access to the metadata and subscribers of the channel. */
  canAccess(name: Name, channelName: ChannelName): boolean {
    if (this.reads(name, channelName) || this.administrators.has(name)) return true
    return !this.guests.has(name) && this.isIn(name, 'keepers')
  }

  mayRead(name: Name, { channel, records }: ModelMessage): boolean {
    if (channel === undefined) return records.has(name)
    if (!this.reads(name, channel)) return false
    if (records.has(name)) return true
    const { privacy, isArchived } = this.channel(channel)
    if (privacy === 'public' && !this.guests.has(name)) return true
    return privacy !== 'protected' && !isArchived
  }

  /** The audience of an edit: users with access who have the message or receive the channel. */
  editAudience(message: ModelMessage): Name[] {
    return names.filter(
      (name) =>
        this.mayRead(name, message) && (message.records.has(name) || this.#gets(name, message)),
    )
  }

  /** The audience of a reaction or a deletion. */
  reactionAudience(message: ModelMessage): Name[] {
    const { channel } = message
    const isPrivate = channel !== undefined && this.channel(channel).privacy !== 'public'
    return this.editAudience(message).filter((name) => !isPrivate || this.#gets(name, message))
  }

  expect(people: Iterable<Name>, text: string): void {
    for (const name of people) {
      const texts = this.#expected.get(name)
      if (texts === undefined) this.#expected.set(name, [text])
      else texts.push(text)
    }
  }

  /** The events to be received because of commands since the last call. */
  takeExpected(): Expected {
    const expected = this.#expected
    this.#expected = new Map()
    return expected
  }

  /** The expected messages of those queues since the last call. */
  takeExpectedToFollow(): ReadonlyMap<Name, readonly number[]> {
    const expected = this.#expectedToFollow
    this.#expectedToFollow = new Map()
    return expected
  }

  #follow(id: number, gets: (name: Name) => boolean): void {
    for (const name of names.filter(gets)) {
      this.#expectedToFollow.set(name, [...(this.#expectedToFollow.get(name) ?? []), id])
    }
  }

  /** A new message in a channel, whose subscribers receive it. */
  sent(id: number, sender: Name, channel: ChannelName, topic: string): void {
    const { subscribers, privacy } = this.channel(channel)
    this.messages.set(id, { id, sender, channel, topic, records: new Set(subscribers) })
    this.#follow(
      id,
      (name) => subscribers.has(name) || (privacy === 'public' && !this.guests.has(name)),
    )
    this.expect(subscribers, `message ${id}`)
  }

  sentDirectly(id: number, sender: Name, people: ReadonlySet<Name>): void {
    this.messages.set(id, { id, sender, channel: undefined, topic: '', records: new Set(people) })
    this.#conversations.push(people)
    this.#follow(id, (name) => people.has(name))
    this.expect(people, `message ${id}`)
  }

  /** A user who was offline is active. */
  appeared(by: Name): void {
    this.expect(
      names.filter((name) => this.hasAccessTo(name, by)),
      `presence ${by}`,
    )
  }

  edited(id: number): void {
    this.expect(this.editAudience(this.#message(id)), `update_message ${id}`)
  }

  /** A reaction adds the message to the history of the reacting user. */
  reacted(id: number, by: Name): void {
    this.#message(id).records.add(by)
    this.expect(this.reactionAudience(this.#message(id)), `reaction/add ${id}`)
  }

  /** So does a star. */
  starred(id: number, by: Name): void {
    const message = this.#message(id)
    if (this.mayRead(by, message)) message.records.add(by)
  }

  deleted(id: number, by: Name): void {
    const message = this.#message(id)
    this.expect(new Set([...this.reactionAudience(message), by]), `delete_message ${id}`)
    this.messages.delete(id)
  }

  /** One message, or all messages of its topic to which the mover has access. */
  moved(id: number, by: Name, to: { channel: ChannelName; topic: string }, isWhole: boolean): void {
    const first = this.#message(id)
    const { channel: from, topic } = first
    assert.ok(from !== undefined)
    const crosses = from !== to.channel
    const along = [...this.messages.values()]
      .filter((message) => message.id === id || isWhole)
      .filter((message) => message.channel === from && message.topic === topic)
      .filter((message) => !crosses || this.mayRead(by, message))
      .sort((a, b) => a.id - b.id)
    const [source, target] = [this.channel(from), this.channel(to.channel)]
    const owners = new Set(along.flatMap(({ records }) => [...records]))
    const follows = (name: Name): boolean =>
      crosses && target.privacy !== 'public'
        ? target.subscribers.has(name)
        : this.reads(name, to.channel)
    const audience = new Set([
      ...owners,
      ...(source.privacy === 'protected' ? [] : source.subscribers),
      ...(crosses ? target.subscribers : []),
    ])
    for (const name of crosses ? names : []) {
      const isLeaving =
        (owners.has(name) || source.subscribers.has(name)) && !target.subscribers.has(name)
      if (!isLeaving) continue
      const lost = along
        .filter((message) => this.mayRead(name, message))
        .map((message) => message.id)
      if (!follows(name) && lost.length > 0) this.expect([name], `delete_message ${lost.join()}`)
      for (const message of along) message.records.delete(name)
    }
    const recipients = [...audience].filter(follows).filter((name) => {
      const isNewGuest = crosses && this.guests.has(name) && !this.reads(name, from)
      return !isNewGuest
    })
    this.expect(recipients, `update_message ${along.map((message) => message.id).join()}`)
    for (const message of along) {
      message.channel = to.channel
      message.topic = to.topic
      if (!crosses || target.privacy !== 'protected') continue
      for (const name of target.subscribers) message.records.add(name)
    }
  }

  subscribed(name: Name, channelName: ChannelName): void {
    const { id, subscribers } = this.channel(channelName)
    if (subscribers.has(name)) return
    if (!this.canAccess(name, channelName)) this.expect([name], `stream/create ${id}`)
    this.expect(this.#withAccess(channelName, name), `subscription/peer_add ${id}`)
    subscribers.add(name)
    this.expect([name], `subscription/add ${id}`)
  }

  unsubscribed(name: Name, channelName: ChannelName): void {
    const { id, subscribers } = this.channel(channelName)
    if (!subscribers.delete(name)) return
    this.expect([name], `subscription/remove ${id}`)
    this.expect(this.#withAccess(channelName, name), `subscription/peer_remove ${id}`)
    if (!this.canAccess(name, channelName)) this.expect([name], `stream/delete ${id}`)
  }

  /** A change that may affect access to channels, such as one of a group. */
  changed(change: () => void): void {
    const before = this.#accessPairs()
    change()
    for (const channelName of channelNames) {
      const { id, subscribers } = this.channel(channelName)
      for (const name of names) {
        const [did, does] = [
          before.has(`${name} ${channelName}`),
          this.canAccess(name, channelName),
        ]
        if (does && !did) {
          this.expect([name], `stream/create ${id}`)
          if (subscribers.size > 0) this.expect([name], `subscription/peer_add ${id}`)
        }
        if (did && !does) this.expect([name], `stream/delete ${id}`)
      }
    }
  }

  privacyChanged(channelName: ChannelName, privacy: Privacy): void {
    const channel = this.channel(channelName)
    if (channel.privacy === privacy) return
    this.#reset(channelName, 'invite_only', () => {
      channel.privacy = privacy
    })
  }

  /** The setting contains the joiners, or no user. */
  joiningChanged(channelName: ChannelName, isOpenToJoiners: boolean): void {
    const channel = this.channel(channelName)
    if (channel.isOpenToJoiners === isOpenToJoiners) return
    this.#reset(channelName, 'can_subscribe_group', () => {
      channel.isOpenToJoiners = isOpenToJoiners
    })
  }

  archived(channelName: ChannelName, isArchived: boolean): void {
    const channel = this.channel(channelName)
    if (channel.isArchived === isArchived) return
    channel.isArchived = isArchived
    this.expect(this.#withAccess(channelName), `stream/update ${channel.id} is_archived`)
  }

  /** Users with access to the channel before and after the change receive the event. */
  #reset(channelName: ChannelName, property: string, change: () => void): void {
    const before = this.#withAccess(channelName)
    this.changed(change)
    const staying = this.#withAccess(channelName).filter((name) => before.includes(name))
    this.expect(staying, `stream/update ${this.channel(channelName).id} ${property}`)
  }

  #accessPairs(): ReadonlySet<string> {
    return new Set(
      channelNames.flatMap((channelName) =>
        this.#withAccess(channelName).map((name) => `${name} ${channelName}`),
      ),
    )
  }

  #withAccess(channelName: ChannelName, except?: Name): Name[] {
    return names.filter((name) => name !== except && this.canAccess(name, channelName))
  }

  #gets(name: Name, { channel }: ModelMessage): boolean {
    return channel === undefined || this.channel(channel).subscribers.has(name)
  }

  #message(id: number): ModelMessage {
    const message = this.messages.get(id)
    assert.ok(message)
    return message
  }
}
