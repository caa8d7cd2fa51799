import type { ChannelState } from '@parley/client'
import { html, type TemplateResult } from 'lit'

import { followState } from '../session/follow-state.js'
import { define } from '../view/view.js'
import './channel-notifications.js'
import { choice } from './fields.js'
import { notificationTexts } from './notification-texts.js'
import { ReportingSection } from './reporting-section.js'

/** The notifications that differ for single channels. */
class ChannelSettings extends ReportingSection {
  static override properties = {
    ...ReportingSection.properties,
    channelId: { state: true },
  }
  declare channelId: number | undefined

  constructor() {
    super()
    followState(this, ({ channels }) => channels)
  }

  protected override render(): TemplateResult {
    const channels = this.#channels()
    const channel = channels.find(({ stream_id }) => stream_id === this.channelId) ?? channels[0]
    return html`<fieldset>
      <legend>${notificationTexts.oneChannel}</legend>
      ${
        channel === undefined
          ? notificationTexts.noChannels
          : html`${choice(
                notificationTexts.channel,
                channel.stream_id,
                channels.map(({ stream_id, name }) => [stream_id, `#${name}`] as const),
                (id) => (this.channelId = id),
              )}
              <parley-channel-notifications
                .session=${this.session}
                .channelId=${channel.stream_id}
                .report=${this.report}
              ></parley-channel-notifications>`
      }
    </fieldset>`
  }

  #channels(): ChannelState[] {
    return [...(this.session?.state.channels.values() ?? [])]
      .filter(({ subscription }) => subscription !== undefined)
      .sort((one, other) => one.name.localeCompare(other.name))
  }
}

define('parley-channel-settings', ChannelSettings)
