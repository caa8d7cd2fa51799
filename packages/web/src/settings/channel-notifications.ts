import type { ChannelState, Subscription } from '@parley/client'
import { html, nothing, type TemplateResult } from 'lit'

import { followState } from '../session/follow-state.js'
import { define } from '../view/view.js'
import { checkbox } from './fields.js'
import { notificationTexts } from './notification-texts.js'
import { ReportingSection } from './reporting-section.js'

type Property = keyof typeof notificationTexts.overrides

/** The user's settings from which the channel inherits. */
const inherited = {
  desktop_notifications: 'enable_stream_desktop_notifications',
  audible_notifications: 'enable_stream_audible_notifications',
  email_notifications: 'enable_stream_email_notifications',
  push_notifications: 'enable_stream_push_notifications',
  wildcard_mentions_notify: 'wildcard_mentions_notify',
} as const

/** The user's notification settings for one channel. */
class ChannelNotifications extends ReportingSection {
  static override properties = {
    ...ReportingSection.properties,
    channelId: { attribute: false },
  }
  declare channelId: number

  constructor() {
    super()
    followState(this, ({ channels }) => channels)
  }

  protected override render(): TemplateResult | typeof nothing {
    const channel = this.session?.state.channels.get(this.channelId)
    if (channel?.subscription === undefined) return nothing
    // Its keys are those of the type.
    const entries = Object.entries(notificationTexts.overrides) as [Property, string][]
    return html`${entries.map(([property, label]) => {
      const stored = this.#stored(channel.subscription, property)
      const name = `${channel.stream_id} ${property}`
      return checkbox(label, this.entered.shown(name, stored), (isOn) =>
        this.#change(channel, property, label, [isOn, stored]),
      )
    })}`
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

define('parley-channel-notifications', ChannelNotifications)
