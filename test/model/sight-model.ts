import assert from 'node:assert/strict'

/** The people of the model; olga is the owner, who subscribes to everything and never leaves. */
export const names = ['olga', 'adam', 'alice', 'bob', 'carol', 'gus'] as const
export type Name = (typeof names)[number]

export const channelNames = ['pub', 'shared', 'hidden'] as const
export type ChannelName = (typeof channelNames)[number]

/** Who may know of a channel, and whether those who come later may read what was said before. */
export type Privacy = 'public' | 'private' | 'protected'

/** Groups that the channels' settings name: whose members may join, and who may administer. */
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
  /** In whose history it is. */
  readonly records: Set<Name>
}

/** What each person's client is to hear, as short texts. */
export type Expected = ReadonlyMap<Name, readonly string[]>

/**
 * Who may see what and who hears of what, said a second time and as plainly as possible: the
 * server is compared with it.
 */
export class SightModel {
  readonly channels = new Map<ChannelName, ModelChannel>()
  readonly messages = new Map<number, ModelMessage>()
  readonly guests = new Set<Name>(['gus'])
  readonly administrators = new Set<Name>(['olga', 'adam'])
  readonly groups: Readonly<Record<GroupName, Set<Name>>> = {
    joiners: new Set(),
    keepers: new Set(),
  }
  /** Whether the group of carol alone is a part of the joiners. */
  joinersContainInner = false
  #expected = new Map<Name, string[]>()
  readonly #conversations: ReadonlySet<Name>[] = []

  /** @param isLimited whether guests know only with whom they share a channel or a conversation. */
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

  /** Whether the person may read what is said in the channel now. */
  reads(name: Name, channelName: ChannelName): boolean {
    const channel = this.channel(channelName)
    if (channel.subscribers.has(name)) return true
    if (this.guests.has(name)) return false
    if (channel.privacy === 'public') return true
    return channel.isOpenToJoiners && this.isIn(name, 'joiners')
  }

  knows(name: Name, other: Name): boolean {
    if (name === other || !this.isLimited || !this.guests.has(name)) return true
    const circles = [...this.channels.values()].map(({ subscribers }) => subscribers)
    return [...circles, ...this.#conversations].some((all) => all.has(name) && all.has(other))
  }

  /** Whether the person may know of the channel and its subscribers. */
  sees(name: Name, channelName: ChannelName): boolean {
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

  /** Those who hear of an edit: who have the message or receive the channel, and may read it. */
  followers(message: ModelMessage): Name[] {
    return names.filter(
      (name) =>
        this.mayRead(name, message) && (message.records.has(name) || this.#gets(name, message)),
    )
  }

  /** Those who hear of a reaction or a deletion. */
  witnesses(message: ModelMessage): Name[] {
    const { channel } = message
    const isPrivate = channel !== undefined && this.channel(channel).privacy !== 'public'
    return this.followers(message).filter((name) => !isPrivate || this.#gets(name, message))
  }

  tell(people: Iterable<Name>, text: string): void {
    for (const name of people) {
      const texts = this.#expected.get(name)
      if (texts === undefined) this.#expected.set(name, [text])
      else texts.push(text)
    }
  }

  /** What is to be heard because of what has happened since the last call. */
  takeExpected(): Expected {
    const expected = this.#expected
    this.#expected = new Map()
    return expected
  }

  /** A new message in a channel, whose subscribers receive it. */
  said(id: number, sender: Name, channel: ChannelName, topic: string): void {
    const { subscribers } = this.channel(channel)
    this.messages.set(id, { id, sender, channel, topic, records: new Set(subscribers) })
    this.tell(subscribers, `message ${id}`)
  }

  whispered(id: number, sender: Name, people: ReadonlySet<Name>): void {
    this.messages.set(id, { id, sender, channel: undefined, topic: '', records: new Set(people) })
    this.#conversations.push(people)
    this.tell(people, `message ${id}`)
  }

  /** Somebody is there who was away. */
  appeared(by: Name): void {
    this.tell(
      names.filter((name) => this.knows(name, by)),
      `presence ${by}`,
    )
  }

  edited(id: number): void {
    this.tell(this.followers(this.#message(id)), `update_message ${id}`)
  }

  /** Whoever reacts to a message has it from then on. */
  reacted(id: number, by: Name): void {
    this.#message(id).records.add(by)
    this.tell(this.witnesses(this.#message(id)), `reaction/add ${id}`)
  }

  /** Likewise whoever stars it. */
  starred(id: number, by: Name): void {
    const message = this.#message(id)
    if (this.mayRead(by, message)) message.records.add(by)
  }

  deleted(id: number, by: Name): void {
    const message = this.#message(id)
    this.tell(new Set([...this.witnesses(message), by]), `delete_message ${id}`)
    this.messages.delete(id)
  }

  /** One message, or all of its topic that the mover sees. */
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
    const hearing = new Set([
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
      if (!follows(name) && lost.length > 0) this.tell([name], `delete_message ${lost.join()}`)
      for (const message of along) message.records.delete(name)
    }
    const told = [...hearing].filter(follows).filter((name) => {
      const isNewGuest = crosses && this.guests.has(name) && !this.reads(name, from)
      return !isNewGuest
    })
    this.tell(told, `update_message ${along.map((message) => message.id).join()}`)
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
    if (!this.sees(name, channelName)) this.tell([name], `stream/create ${id}`)
    this.tell(this.#seeing(channelName, name), `subscription/peer_add ${id}`)
    subscribers.add(name)
    this.tell([name], `subscription/add ${id}`)
  }

  unsubscribed(name: Name, channelName: ChannelName): void {
    const { id, subscribers } = this.channel(channelName)
    if (!subscribers.delete(name)) return
    this.tell([name], `subscription/remove ${id}`)
    this.tell(this.#seeing(channelName, name), `subscription/peer_remove ${id}`)
    if (!this.sees(name, channelName)) this.tell([name], `stream/delete ${id}`)
  }

  /** Something that may change who sees which channels, such as a group. */
  changed(change: () => void): void {
    const before = this.#sights()
    change()
    for (const channelName of channelNames) {
      const { id, subscribers } = this.channel(channelName)
      for (const name of names) {
        const [did, does] = [before.has(`${name} ${channelName}`), this.sees(name, channelName)]
        if (does && !did) {
          this.tell([name], `stream/create ${id}`)
          if (subscribers.size > 0) this.tell([name], `subscription/peer_add ${id}`)
        }
        if (did && !does) this.tell([name], `stream/delete ${id}`)
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

  /** The setting names the joiners, or nobody. */
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
    this.tell(this.#seeing(channelName), `stream/update ${channel.id} is_archived`)
  }

  /** Those who knew of the channel and still do hear what has changed. */
  #reset(channelName: ChannelName, property: string, change: () => void): void {
    const before = this.#seeing(channelName)
    this.changed(change)
    const staying = this.#seeing(channelName).filter((name) => before.includes(name))
    this.tell(staying, `stream/update ${this.channel(channelName).id} ${property}`)
  }

  #sights(): ReadonlySet<string> {
    return new Set(
      channelNames.flatMap((channelName) =>
        this.#seeing(channelName).map((name) => `${name} ${channelName}`),
      ),
    )
  }

  #seeing(channelName: ChannelName, except?: Name): Name[] {
    return names.filter((name) => name !== except && this.sees(name, channelName))
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
