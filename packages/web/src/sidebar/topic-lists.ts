import { foldTopic } from '@parley/client'
import type { ReactiveController } from 'lit'

import type { Session } from '../session/session.js'
import type { View } from '../view/view.js'

export interface TopicEntry {
  readonly topic: string
  readonly count: number
  readonly isMuted: boolean
}

const maxTopics = 30
const mutedPolicy = 1

/** The topics of the channel that is open: the newest, and those with unread messages. */
export class TopicLists implements ReactiveController {
  readonly #view: View
  #channelId: number | undefined
  #newest: readonly string[] = []
  #stop: (() => void) | undefined

  constructor(view: View) {
    this.#view = view
    view.addController(this)
  }

  hostDisconnected(): void {
    this.#stop?.()
    this.#channelId = undefined
  }

  of(channelId: number, session: Session, open: string | undefined): TopicEntry[] {
    if (channelId !== this.#channelId) this.#begin(channelId, session)
    const { unread, topicPolicies } = session.state
    const unreadTopics = unread.channels.get(channelId)?.topics
    const policies = topicPolicies.get(channelId)
    const names = new Map<string, string>()
    const unreadNames = [...(unreadTopics?.values() ?? [])].map(({ topic }) => topic)
    const all = [...(open === undefined ? [] : [open]), ...this.#newest, ...unreadNames]
    for (const topic of all) {
      const key = foldTopic(topic)
      if (!names.has(key)) names.set(key, topic)
    }
    const entries = [...names].map(([key, topic]) => ({
      topic,
      count: unreadTopics?.get(key)?.ids.length ?? 0,
      isMuted: policies?.get(key) === mutedPolicy,
    }))
    const position = new Map(this.#newest.map((topic, index) => [foldTopic(topic), index]))
    const rank = ({ topic }: TopicEntry): number => position.get(foldTopic(topic)) ?? -1
    return entries.sort((a, b) => rank(a) - rank(b))
  }

  #begin(channelId: number, session: Session): void {
    this.#channelId = channelId
    this.#newest = []
    this.#stop?.()
    void this.#load(channelId, session)
    // A new message may belong to a new topic; for visitors, the whole state is new then.
    this.#stop = session.store.subscribe(
      ({ unread, channels }) =>
        session.isVisitor ? channels : unread.channels.get(channelId)?.topics.size,
      () => void this.#load(channelId, session),
    )
  }

  async #load(channelId: number, session: Session): Promise<void> {
    if (!session.state.channels.has(channelId)) return
    try {
      const params = { stream_id: channelId, allow_empty_topic_name: true }
      const { topics } = await session.client.api.getStreamTopics(params)
      if (channelId !== this.#channelId) return
      this.#newest = topics.slice(0, maxTopics).map(({ name }) => name)
      this.#view.requestUpdate()
    } catch {
      // Those with unread messages are shown nevertheless.
    }
  }
}
