import { html, nothing, type TemplateResult } from 'lit'

import { define } from '../view/view.js'
import './alert-words.js'
import './channel-settings.js'
import type { Choice } from './fields.js'
import { notificationTexts } from './notification-texts.js'
import { UserSettingsSection, type SwitchName } from './user-settings.js'

/** The notification settings of the user. */
class NotificationSettings extends UserSettingsSection {
  protected override render(): TemplateResult {
    return html`<div class="settings-body">
        ${this.#group(notificationTexts.direct, notificationTexts.directSwitches)}
        ${this.#group(notificationTexts.channels, notificationTexts.channelSwitches)}
        ${this.#group(
          notificationTexts.followed,
          notificationTexts.followedSwitches,
          html`${this.choice(
            'automatically_follow_topics_policy',
            notificationTexts.followAutomatically,
            notificationTexts.topicPolicies,
          )}
          ${this.choice(
            'automatically_unmute_topics_in_muted_streams_policy',
            notificationTexts.unmuteAutomatically,
            notificationTexts.topicPolicies,
          )}
          ${this.choice(
            'resolved_topic_notice_auto_read_policy',
            notificationTexts.resolvedTopics,
            notificationTexts.resolvedPolicies,
          )}`,
        )}
        ${this.#group(
          notificationTexts.desktop,
          notificationTexts.desktopSwitches,
          html`${this.choice('notification_sound', notificationTexts.sound, this.#sounds())}
          ${this.choice(
            'desktop_icon_count_display',
            notificationTexts.iconCount,
            notificationTexts.iconCounts,
          )}`,
        )}
        ${this.#group(
          notificationTexts.mail,
          notificationTexts.mailSwitches,
          html`${this.choice(
            'email_notifications_batching_period_seconds',
            notificationTexts.batching,
            this.#periods(),
          )}
          ${this.choice(
            'realm_name_in_email_notifications_policy',
            notificationTexts.nameInMail,
            notificationTexts.nameInMailPolicies,
          )}`,
        )}
        <parley-channel-settings
          .session=${this.session}
          .report=${(note: string) => (this.note = note)}
        ></parley-channel-settings>
        <parley-alert-words
          .session=${this.session}
          .report=${(note: string) => (this.note = note)}
        ></parley-alert-words>
      </div>
      ${this.status()}`
  }

  #group(
    title: string,
    labels: Partial<Record<SwitchName, string>>,
    more: TemplateResult | typeof nothing = nothing,
  ): TemplateResult {
    return html`<fieldset>
      <legend>${title}</legend>
      ${this.switches(labels)}${more}
    </fieldset>`
  }

  #sounds(): Choice<string>[] {
    const sounds = this.setting('available_notification_sounds') ?? []
    return [
      ['none', notificationTexts.noSound],
      ...sounds.map((sound): Choice<string> => [sound, sound]),
    ]
  }

  #periods(): Choice<number>[] {
    const usual: readonly Choice<number>[] = notificationTexts.batchingPeriods
    const value = this.setting('email_notifications_batching_period_seconds')
    if (value === undefined || usual.some(([seconds]) => seconds === value)) return [...usual]
    // Another client has set it.
    return [...usual, [value, notificationTexts.seconds(value)]]
  }
}

define('parley-notification-settings', NotificationSettings)
