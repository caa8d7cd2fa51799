import type { ChannelState, Subscription } from '@parley/client'
import { html, type TemplateResult } from 'lit'

import { followState } from '../session/follow-state.js'
import { define } from '../view/view.js'
import { checkbox, choice } from './fields.js'
import { notificationTexts } from './notification-texts.js'
import { ReportingSection } from './reporting-section.js'

type Property = keyof typeof notificationTexts.overrides

/** What the channel inherits from the user's settings. */
const inherited = {
  desktop_notifications: 'enable_stream_desktop_notifications',
  audible_notifications: 'enable_stream_audible_notifications',
  email_notifications: 'enable_stream_email_notifications',
  push_notifications: 'enable_stream_push_notifications',
  wildcard_mentions_notify: 'wildcard_mentions_notify',
} as const

/** What differs for single channels. */
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
            ${this.#switches(channel)}`
      }
    </fieldset>`
  }

  #channels(): ChannelState[] {
    return [...(this.session?.state.channels.values() ?? [])]
      .filter(({ subscription }) => subscription !== undefined)
      .sort((one, other) => one.name.localeCompare(other.name))
  }

  #switches(channel: ChannelState): TemplateResult[] {
    // Its keys are those of the type.
    const entries = Object.entries(notificationTexts.overrides) as [Property, string][]
    return entries.map(([property, label]) => {
      const stored = this.#stored(channel.subscription, property)
      const name = `${channel.stream_id} ${property}`
      return checkbox(label, this.entered.shown(name, stored), (isOn) =>
        this.#change(channel, property, label, [isOn, stored]),
      )
    })
  }

  #stored(subscription: Subscription | undefined, property: Property): boolean {
    const own = subscription?.[property]
    if (typeof own === 'boolean' || property === 'is_muted') return own === true
    return this.session?.state.me.user_settings[inherited[property]] === true
  }

  #change(
    { stream_id, name }: ChannelState,
    property: Property,
    label: string,
    values: readonly [value: boolean, stored: boolean],
  ): void {
    const { session } = this
    if (session === undefined) return
    const what = notificationTexts.ofChannel(name, label)
    void this.saveAtOnce(`${stream_id} ${property}`, what, values, () =>
      session.client.api.updateSubscriptionSettings({
        subscription_data: [{ stream_id, property, value: values[0] }],
      }),
    )
  }
}

define('parley-channel-settings', ChannelSettings)
