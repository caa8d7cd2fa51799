import { html, type TemplateResult } from 'lit'

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
import { avatar } from '../view/avatar.js'
import { icon } from '../view/icons.js'
import { chooseAction, type MenuItem } from '../view/menu.js'
import { menuIcon } from '../view/menu-icons.js'
import { reasonOf } from '../view/reason.js'
import { define, View } from '../view/view.js'
import { buildingIcon, keyboardIcon, usersIcon } from './foot-icons.js'
import { footStyle } from './foot-style.js'
import { footTexts } from './foot-texts.js'

/** An action that the page adds to the menu of the user. */
export interface UserAction {
  readonly label: string
  /** @param opener the button of the menu, for dialogs. */
  act(opener: HTMLElement): void | Promise<void>
}

/** The user, below the list of conversations: a button with the menu for settings and the like. */
class Foot extends View {
  static override properties = { ...View.properties, news: { state: true } }
  /** The result of the last choice. */
  declare news: string

  constructor() {
    super()
    this.news = ''
    followState(this, ({ me }) => me)
    followState(this, ({ isRegistered }) => isRegistered)
  }

  override connectedCallback(): void {
    super.connectedCallback()
    const root = this.getRootNode()
    if (root instanceof ShadowRoot) useStyle(root, footStyle)
  }

  protected override render(): TemplateResult {
    const { session } = this
    if (session?.state.isRegistered !== true) return html``
    const { user_id, full_name, avatar_url } = session.state.me
    const label = footTexts.menuOf(full_name)
    return html`<div class="foot">
      <button
        class="quiet own"
        aria-label=${label}
        title=${label}
        aria-haspopup="dialog"
        @click=${this.#open}
      >
        ${avatar(session, user_id, avatar_url)}<span class="name" dir="auto">${full_name}</span>
        ${icon('ellipsis')}
      </button>
      <span role="status">${this.news}</span>
    </div>`
  }

  readonly #open = async ({ currentTarget: opener }: Event): Promise<void> => {
    const { session } = this
    if (!(opener instanceof HTMLElement) || session === undefined) return
    const actions: UserAction[] = []
    const root = this.getRootNode()
    if (root instanceof ShadowRoot) {
      const event: HTMLElementEventMap['parley-user-menu'] = new CustomEvent('parley-user-menu', {
        detail: actions,
      })
      root.host.dispatchEvent(event)
    }
    const own = actions.map(({ label }, index) => ({ value: `own ${index}`, label }))
    const label = footTexts.menuOf(session.state.me.full_name)
    const value = await chooseAction(opener, label, [...this.#items(session), ...own])
    try {
      if (value.startsWith('own ')) await actions[Number(value.slice(4))]?.act(opener)
      else await this.#act(value, opener, session)
    } catch (error) {
      this.tell('parley-problem', texts.failed(reasonOf(error)))
    }
  }

  #items(session: Session): MenuItem[] {
    const { turnOff, turnOn } = desktopTexts
    const items: (MenuItem | undefined)[] = [
      { value: 'settings', label: texts.settings, picture: icon('settings2') },
      { value: 'people', label: footTexts.people, picture: usersIcon },
      mayChangeOrganization(session)
        ? { value: 'organization', label: footTexts.organization, picture: buildingIcon }
        : undefined,
      'Notification' in window
        ? {
            value: 'notifications',
            label: this.#isOn(session) ? turnOff : turnOn,
            picture: menuIcon('bell'),
          }
        : undefined,
      { value: 'shortcuts', label: shortcutTexts.shortcuts, picture: keyboardIcon },
    ]
    return items.filter((item) => item !== undefined)
  }

  async #act(value: string, opener: HTMLElement, session: Session): Promise<void> {
    switch (value) {
      case 'settings': {
        const text = await (await import('../settings/index.js')).openSettings(opener, session)
        if (text !== '') this.tell('parley-restore', text)
        return
      }
      case 'people':
        await (await import('../organization/index.js')).openPeople(opener, session)
        return
      case 'organization':
        await (await import('../organization/index.js')).openOrganization(opener, session)
        return
      case 'notifications':
        await this.#changeNotifications(session)
        return
      case 'shortcuts':
        await showShortcuts(opener)
      // No default
    }
  }

  #isOn(session: Session): boolean {
    return Notification.permission === 'granted' && isKept(notificationsKey(session))
  }

  async #changeNotifications(session: Session): Promise<void> {
    const wantsOn = !this.#isOn(session)
    const permission = wantsOn ? await Notification.requestPermission() : 'granted'
    keep(notificationsKey(session), wantsOn && permission === 'granted')
    const { denied, isOn, isOff } = desktopTexts
    this.news = permission !== 'granted' ? denied : wantsOn ? isOn : isOff
  }
}

define('parley-foot', Foot)
