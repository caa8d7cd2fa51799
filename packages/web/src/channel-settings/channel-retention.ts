import { html, nothing, type TemplateResult } from 'lit'

import { followState } from '../session/follow-state.js'
import { choice, saveButton } from '../settings/fields.js'
import { ReportingSection } from '../settings/reporting-section.js'
import { define } from '../view/view.js'
import { channelTexts } from './channel-texts.js'
import { forever, usualRetention } from './retention.js'

type Kind = 'inherit' | 'forever' | 'days'
const usualDays = 30
/** The largest number that the server takes. */
const maxDays = 2_147_483_647

/** For how long a channel keeps messages. A button saves it: deleted messages are lost. */
class ChannelRetention extends ReportingSection {
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
    const { session } = this
    const channel = session?.state.channels.get(this.channelId)
    if (session === undefined || channel === undefined) return nothing
    const { retentionKinds: texts } = channelTexts
    const stored = String(channel.message_retention_days ?? '')
    const value = this.entered.shown('retention', stored)
    const kind: Kind = value === '' ? 'inherit' : value === String(forever) ? 'forever' : 'days'
    const enter = (next: string): void => {
      this.entered.enter('retention', next)
      this.requestUpdate()
    }
    const submit = (event: Event): void => {
      event.preventDefault()
      const sent = { inherit: 'realm_default', forever: 'unlimited', days: value }[kind]
      void this.saveText('retention', channelTexts.retention, [value, stored], async () =>
        session.client.api.updateStream({
          stream_id: channel.stream_id,
          message_retention_days: sent,
        }),
      )
    }
    return html`<form @submit=${submit}>
      ${choice<Kind>(
        channelTexts.retention,
        kind,
        [
          ['inherit', texts.inherit(usualRetention(session.state))],
          ['forever', texts.forever],
          ['days', texts.days],
        ],
        (next) => enter({ inherit: '', forever: String(forever), days: String(usualDays) }[next]),
      )}
      ${
        kind === 'days'
          ? html`<label class="pair"
              ><span>${channelTexts.numberOfDays}</span>
              <input
                type="number"
                required
                min="1"
                max=${maxDays}
                .value=${value}
                @input=${({ target }: Event) => {
                  // An empty field is a number that is not written yet.
                  if (target instanceof HTMLInputElement) enter(target.value || '0')
                }}
              />
            </label>`
          : nothing
      }
      ${saveButton(channelTexts.retention, value !== stored && !this.entered.isSent('retention'))}
    </form>`
  }
}

define('parley-channel-retention', ChannelRetention)
