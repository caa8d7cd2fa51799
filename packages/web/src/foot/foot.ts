import { html, nothing, type TemplateResult } from 'lit'

import { desktopTexts } from '../notifications/desktop-notification-texts.js'
import { notificationsKey } from '../notifications/notifications-key.js'
import { mayChangeOrganization } from '../organization/permissions.js'
import { followState } from '../session/follow-state.js'
import { isKept, keep } from '../session/kept-choices.js'
import type { Session } from '../session/session.js'
import { showShortcuts } from '../shortcuts/shortcut-help.js'
import { shortcutTexts } from '../shortcuts/shortcut-texts.js'
import { useStyle } from '../style/use-style.js'
import { texts } from '../texts.js'
import { reasonOf } from '../view/reason.js'
import { define, View } from '../view/view.js'
import { bellIcon, buildingIcon, keyboardIcon, usersIcon } from './foot-icons.js'
import { footStyle } from './foot-style.js'
import { footTexts } from './foot-texts.js'

type Open = (opener: HTMLElement, session: Session) => Promise<void>

const openPeople: Open = async (...at) =>
  (await import('../organization/index.js')).openPeople(...at)

const openOrganization: Open = async (...at) =>
  (await import('../organization/index.js')).openOrganization(...at)

/** What is below the list of conversations. */
class Foot extends View {
  static override properties = { ...View.properties, news: { state: true } }
  /** What the last click has done. */
  declare news: string

  constructor() {
    super()
    this.news = ''
    followState(this, ({ me }) => me)
    followState(this, ({ organization }) => organization)
    followState(this, ({ groups }) => groups)
    followState(this, ({ emoji }) => emoji)
  }

  override connectedCallback(): void {
    super.connectedCallback()
    const root = this.getRootNode()
    if (root instanceof ShadowRoot) useStyle(root, footStyle)
  }

  protected override render(): TemplateResult {
    const { session } = this
    return html`<div class="foot">
      ${this.#opener(usersIcon, footTexts.people, openPeople)}
      ${
        session?.state.isRegistered === true && mayChangeOrganization(session)
          ? this.#opener(buildingIcon, footTexts.organization, openOrganization)
          : nothing
      }
      ${'Notification' in window ? this.#notificationsButton() : nothing}
      <button class="quiet wide-button" aria-haspopup="dialog" @click=${this.#help}>
        ${keyboardIcon} ${shortcutTexts.shortcuts}
      </button>
      <span role="status">${this.news}</span>
    </div>`
  }

  #opener(picture: TemplateResult, text: string, open: Open): TemplateResult {
    const click = ({ currentTarget }: Event): void => {
      const { session } = this
      if (!(currentTarget instanceof HTMLElement) || session?.state.isRegistered !== true) return
      open(currentTarget, session).catch((error: unknown) =>
        this.tell('parley-problem', texts.failed(reasonOf(error))),
      )
    }
    return html`<button class="quiet wide-button" aria-haspopup="dialog" @click=${click}>
      ${picture} ${text}
    </button>`
  }

  get #isOn(): boolean {
    const { session } = this
    return (
      session !== undefined &&
      Notification.permission === 'granted' &&
      isKept(notificationsKey(session))
    )
  }

  #notificationsButton(): TemplateResult {
    return html`<button class="quiet wide-button" @click=${this.#change}>
      ${bellIcon} ${this.#isOn ? desktopTexts.turnOff : desktopTexts.turnOn}
    </button>`
  }

  readonly #change = async (): Promise<void> => {
    const { session } = this
    if (session === undefined) return
    const wantsOn = !this.#isOn
    const permission = wantsOn ? await Notification.requestPermission() : 'granted'
    keep(notificationsKey(session), wantsOn && permission === 'granted')
    this.news =
      permission !== 'granted'
        ? desktopTexts.denied
        : wantsOn
          ? desktopTexts.isOn
          : desktopTexts.isOff
    this.requestUpdate()
  }

  readonly #help = ({ currentTarget }: Event): void => {
    if (currentTarget instanceof HTMLElement) void showShortcuts(currentTarget)
  }
}

define('parley-foot', Foot)
