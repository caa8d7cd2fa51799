import { foldTopic, type ChatState } from '@parley/client'
import type { ReactiveController } from 'lit'

import type { Session } from '../session/session.js'
import type { View } from '../view/view.js'

export interface TopicEntry {
  readonly topic: string
  readonly count: number
  readonly isMuted: boolean
}

/** How many topics are shown at first, and with each click more. */
const firstTopics = 30
const moreTopics = 100
const mutedPolicy = 1

/** The topics of the channel that is open: the newest, and those with unread messages. */
export class TopicLists implements ReactiveController {
  readonly #view: View
  #channelId: number | undefined
  #limit = firstTopics
  /** Those of the server, with the ids of their newest messages. */
  #listed: ReadonlyMap<string, number> = new Map()
  #hasFailed = false
  #requests = 0
  #stop: (() => void) | undefined
  #messages: ChatState['messages'] | undefined
  #known: ReadonlyMap<string, number> = new Map()

  constructor(view: View) {
    this.#view = view
    view.addController(this)
  }

  hostDisconnected(): void {
    this.#stop?.()
    this.#channelId = undefined
  }

  /** The topics to show, by their newest messages, and how many more there are. */
  of(
    channelId: number,
    session: Session,
    open: string | undefined,
  ): { readonly entries: readonly TopicEntry[]; readonly rest: number } {
    if (channelId !== this.#channelId) this.#begin(channelId, session)
    const { unread, topicPolicies } = session.state
    const unreadTopics = unread.channels.get(channelId)?.topics
    const newest = new Map<string, { readonly topic: string; id: number }>()
    const add = (topic: string, id: number): void => {
      const entry = newest.get(foldTopic(topic))
      if (entry === undefined) newest.set(foldTopic(topic), { topic, id })
      else entry.id = Math.max(entry.id, id)
    }
    for (const [topic, id] of this.#listed) add(topic, id)
    for (const [topic, id] of this.#inMessages(session.state)) add(topic, id)
    for (const { topic, ids } of unreadTopics?.values() ?? []) add(topic, ids.at(-1) ?? 0)
    const openKey = open === undefined ? undefined : foldTopic(open)
    // Nothing is known of it: it is new.
    if (openKey !== undefined && !newest.has(openKey)) add(open ?? '', Infinity)
    const entries = [...newest]
      .sort(([, one], [, other]) => other.id - one.id)
      .map(([key, { topic }]) => ({
        key,
        topic,
        count: unreadTopics?.get(key)?.ids.length ?? 0,
        isMuted: topicPolicies.get(channelId)?.get(key) === mutedPolicy,
      }))
    const shown = entries.filter(
      ({ key, count }, index) => index < this.#limit || count > 0 || key === openKey,
    )
    return { entries: shown, rest: entries.length - shown.length }
  }

  showMore(): void {
    this.#limit += moreTopics
  }

  #begin(channelId: number, session: Session): void {
    this.#channelId = channelId
    this.#listed = new Map()
    this.#messages = undefined
    this.#limit = firstTopics
    this.#stop?.()
    void this.#load(channelId, session)
    const { store, isVisitor } = session
    const stops = [
      // There may be a new topic, or one less; for visitors, the whole state is new then.
      store.subscribe(
        (state) =>
          isVisitor
            ? state.channels
            : [
                state.unread.channels.get(channelId)?.topics.size,
                ...this.#inMessages(state).keys(),
              ].join(),
        () => void this.#load(channelId, session),
      ),
      store.subscribe(
        ({ connection }) => connection.kind,
        () => this.#hasFailed && void this.#load(channelId, session),
      ),
    ]
    this.#stop = () => stops.forEach((stop) => stop())
  }

  /** The topics of the messages that are known here, also of own and of moved ones. */
  #inMessages({ messages }: ChatState): ReadonlyMap<string, number> {
    if (messages === this.#messages) return this.#known
    const known = new Map<string, number>()
    for (const { id, stream_id, subject } of messages.values()) {
      if (stream_id === this.#channelId) known.set(subject, Math.max(id, known.get(subject) ?? 0))
    }
    this.#messages = messages
    this.#known = known
    return known
  }

  async #load(channelId: number, session: Session): Promise<void> {
    this.#requests += 1
    const own = this.#requests
    if (!session.state.channels.has(channelId)) return
    try {
      const params = { stream_id: channelId, allow_empty_topic_name: true }
      const { topics } = await session.client.api.getStreamTopics(params)
      if (own !== this.#requests) return
      this.#listed = new Map(topics.map(({ name, max_id }) => [name, max_id]))
      this.#hasFailed = false
      this.#view.requestUpdate()
    } catch {
      // Those with unread messages are shown nevertheless.
      this.#hasFailed = true
    }
  }
}
