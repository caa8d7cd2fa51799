import { html, nothing, type TemplateResult } from 'lit'

import { mayChangeOrganization } from '../organization/permissions.js'
import { followState } from '../session/follow-state.js'
import type { Session } from '../session/session.js'
import { useStyle } from '../style/use-style.js'
import { texts } from '../texts.js'
import { reasonOf } from '../view/reason.js'
import { define, View } from '../view/view.js'
import { bellIcon, buildingIcon, keyboardIcon, usersIcon } from './extra-icons.js'
import { extraStyle } from './extra-style.js'
import { extraTexts } from './extra-texts.js'
import { isKept, keep, noticesKey } from './kept.js'
import { showShortcuts } from './shortcut-help.js'

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
    if (root instanceof ShadowRoot) useStyle(root, extraStyle)
  }

  protected override render(): TemplateResult {
    const { session } = this
    return html`<div class="foot">
      ${this.#opener(usersIcon, extraTexts.people, openPeople)}
      ${
        session?.state.isRegistered === true && mayChangeOrganization(session)
          ? this.#opener(buildingIcon, extraTexts.organization, openOrganization)
          : nothing
      }
      ${'Notification' in window ? this.#noticesButton() : nothing}
      <button class="quiet" aria-haspopup="dialog" @click=${this.#help}>
        ${keyboardIcon} ${extraTexts.shortcuts}
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
    return html`<button class="quiet" aria-haspopup="dialog" @click=${click}>
      ${picture} ${text}
    </button>`
  }

  get #isOn(): boolean {
    const { session } = this
    return (
      session !== undefined && Notification.permission === 'granted' && isKept(noticesKey(session))
    )
  }

  #noticesButton(): TemplateResult {
    return html`<button class="quiet" @click=${this.#change}>
      ${bellIcon} ${this.#isOn ? extraTexts.turnOff : extraTexts.turnOn}
    </button>`
  }

  readonly #change = async (): Promise<void> => {
    const { session } = this
    if (session === undefined) return
    const wantsOn = !this.#isOn
    const permission = wantsOn ? await Notification.requestPermission() : 'granted'
    keep(noticesKey(session), wantsOn && permission === 'granted')
    this.news =
      permission !== 'granted' ? extraTexts.denied : wantsOn ? extraTexts.isOn : extraTexts.isOff
    this.requestUpdate()
  }

  readonly #help = ({ currentTarget }: Event): void => {
    if (currentTarget instanceof HTMLElement) void showShortcuts(currentTarget)
  }
}

define('parley-foot', Foot)
