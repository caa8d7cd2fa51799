import { nothing, type TemplateResult } from 'lit'
import { html, literal } from 'lit/static-html.js'

import { ManageView } from '../groups/manage-view.js'
import { followState } from '../session/follow-state.js'
import { dialogHead } from '../view/dialog.js'
import { tabList, tabPanel } from '../view/tabs.js'
import { define } from '../view/view.js'
import './channel-general.js'
import './channel-members.js'
import './channel-own.js'
import './channel-permissions.js'
import { channelTexts } from './channel-texts.js'

const tabs = ['general', 'permissions', 'members', 'own'] as const
type Tab = (typeof tabs)[number]

const sections = {
  general: literal`parley-channel-general`,
  permissions: literal`parley-channel-permissions`,
  members: literal`parley-channel-members`,
  own: literal`parley-channel-own`,
}

/** The sections of a channel's settings, one of which is shown. */
class ChannelDialog extends ManageView {
  static override properties = {
    ...ManageView.properties,
    channelId: { attribute: false },
    tab: { state: true },
  }
  declare channelId: number
  declare tab: Tab

  constructor() {
    super()
    this.tab = 'general'
    followState(this, ({ channels }) => channels)
  }

  protected override firstUpdated(): void {
    this.querySelector<HTMLElement>('[aria-selected=true]')?.focus()
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session } = this
    if (session === undefined) return nothing
    const channel = session.state.channels.get(this.channelId)
    if (channel === undefined) {
      return html`${dialogHead('')}
        <p role="alert">${channelTexts.gone}</p>`
    }
    const isMine = channel.subscription !== undefined
    // The user may leave the channel while this is shown.
    const tab = this.tab === 'own' && !isMine ? 'general' : this.tab
    const section = sections[tab]
    return html`${dialogHead(`#${channel.name}`)}
    ${channel.is_archived ? html`<p class="quiet-text">${channelTexts.archived}</p>` : nothing}
    ${tabList({
      name: 'channel',
      label: channelTexts.sections,
      all: tabs.filter((each) => each !== 'own' || isMine),
      titles: channelTexts.tabs,
      current: tab,
      choose: (each) => (this.tab = each),
    })}
    ${tabPanel(
      'channel',
      tab,
      html`<${section} .session=${session} .channelId=${channel.stream_id}></${section}>`,
    )}`
  }
}

define('parley-channel', ChannelDialog)
