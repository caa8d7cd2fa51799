import { html, nothing, type TemplateResult } from 'lit'

import { useStyle } from '../style/use-style.js'
import { define, View } from '../view/view.js'
import { bellIcon, keyboardIcon } from './extra-icons.js'
import { extraStyle } from './extra-style.js'
import { extraTexts } from './extra-texts.js'
import { isKept, keep, noticesKey } from './kept.js'
import { showShortcuts } from './shortcut-help.js'

/** What is below the list of conversations. */
class Foot extends View {
  static override properties = { ...View.properties, news: { state: true } }
  /** What the last click has done. */
  declare news: string

  constructor() {
    super()
    this.news = ''
  }

  override connectedCallback(): void {
    super.connectedCallback()
    const root = this.getRootNode()
    if (root instanceof ShadowRoot) useStyle(root, extraStyle)
  }

  protected override render(): TemplateResult {
    return html`<div class="foot">
      ${'Notification' in window ? this.#noticesButton() : nothing}
      <button class="quiet" aria-haspopup="dialog" @click=${this.#help}>
        ${keyboardIcon} ${extraTexts.shortcuts}
      </button>
      <span role="status">${this.news}</span>
    </div>`
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
