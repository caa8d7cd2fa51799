import type { OrganizationState } from '../../../events/log/organization-changes.js'
import type { ChannelForSender } from '../../channels/channels/index.js'

/** In each organization. */
const maxRemembered = 1000

/**
 * Remembers which users may send to which topics of which channels, as long as nothing changes in
 * their organization that decides about it.
 */
export class CheckedChannels {
  readonly #byState = new WeakMap<OrganizationState, Map<string, Promise<ChannelForSender>>>()

  /** @param load checks the permission, and throws if there is none, which is not remembered. */
  async get(
    state: OrganizationState,
    key: string,
    load: () => Promise<ChannelForSender>,
  ): Promise<ChannelForSender> {
    const remembered = this.#byState.get(state) ?? new Map<string, Promise<ChannelForSender>>()
    this.#byState.set(state, remembered)
    const known = remembered.get(key)
    if (known !== undefined) return known
    if (remembered.size >= maxRemembered) remembered.clear()
    const loading = load()
    remembered.set(key, loading)
    let found: ChannelForSender | undefined
    try {
      found = await loading
      return found
    } finally {
      if (found === undefined || !isComplete(found)) remembered.delete(key)
    }
  }
}

/** Whether the next message changes nothing in it. */
function isComplete({ channel, memberAudienceId, topic }: ChannelForSender): boolean {
  return (
    channel.first_message_id !== null &&
    channel.audience_id !== null &&
    memberAudienceId !== null &&
    topic.hasMessages
  )
}
