import type { ChannelState } from '@parley/client'
import { html, nothing, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'

import type { Session } from '../session/session.js'
import '../settings/channel-notifications.js'
import { checkbox } from '../settings/fields.js'
import { define } from '../view/view.js'
import { ChannelSection } from './channel-section.js'
import { channelTexts } from './channel-texts.js'
import type { ChannelRights } from './rights.js'

/** The user's own settings for a channel. */
class ChannelOwn extends ChannelSection {
  protected override section(
    channel: ChannelState,
    _rights: ChannelRights,
    session: Session,
  ): TemplateResult {
    const { subscription, stream_id } = channel
    if (subscription === undefined) return html`${nothing}`
    const { color, pin_to_top } = subscription
    const shown = this.entered.shown('color', color)
    return html`<div class="settings-body">
        <fieldset>
          <legend>${channelTexts.appearance}</legend>
          <label class="pair"
            ><span>${channelTexts.color}</span>
            <input
              type="color"
              .value=${live(shown)}
              @change=${({ target }: Event) => {
                if (!(target instanceof HTMLInputElement)) return
                this.#save(channel, 'color', channelTexts.color, [target.value, color])
              }}
            />
          </label>
          ${checkbox(channelTexts.pin, this.entered.shown('pin_to_top', pin_to_top), (isOn) =>
            this.#save(channel, 'pin_to_top', channelTexts.pin, [isOn, pin_to_top]),
          )}
        </fieldset>
        <fieldset>
          <legend>${channelTexts.notifications}</legend>
          <parley-channel-notifications
            .session=${session}
            .channelId=${stream_id}
            .report=${(note: string) => (this.note = note)}
          ></parley-channel-notifications>
        </fieldset>
      </div>
      ${this.status()}`
  }

  #save(
    { stream_id, name }: ChannelState,
    property: 'color' | 'pin_to_top',
    label: string,
    values: readonly [value: string | boolean, stored: string | boolean],
  ): void {
    const { session } = this
    if (session === undefined) return
    void this.saveAtOnce(property, channelTexts.ofChannel(name, label), values, () =>
      session.client.api.updateSubscriptionSettings({
        subscription_data: [{ stream_id, property, value: values[0] }],
      }),
    )
  }
}

define('parley-channel-own', ChannelOwn)
