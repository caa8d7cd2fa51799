import type { Api, ChannelState } from '@parley/client'
import { nothing, type TemplateResult } from 'lit'

import { ManageSection } from '../groups/manage-section.js'
import { followState } from '../session/follow-state.js'
import type { Session } from '../session/session.js'
import { channelRights, type ChannelRights } from './rights.js'

/** A section of a channel's settings. */
export abstract class ChannelSection extends ManageSection {
  static override properties = {
    ...ManageSection.properties,
    channelId: { attribute: false },
  }
  declare channelId: number

  constructor() {
    super()
    followState(this, ({ channels }) => channels)
    followState(this, ({ groups }) => groups)
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session } = this
    const channel = session?.state.channels.get(this.channelId)
    if (session === undefined || channel === undefined) return nothing
    return this.section(channel, channelRights(channel, session.state), session)
  }

  protected abstract section(
    channel: ChannelState,
    rights: ChannelRights,
    session: Session,
  ): TemplateResult

  protected async change(changes: Omit<Api.UpdateStreamParams, 'stream_id'>): Promise<void> {
    await this.session?.client.api.updateStream({ stream_id: this.channelId, ...changes })
  }
}
