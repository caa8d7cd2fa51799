import { html, nothing, type TemplateResult } from 'lit'

import { followState } from '../session/follow-state.js'
import type { Session } from '../session/session.js'
import { ask } from '../view/ask.js'
import { define } from '../view/view.js'
import { accountTexts } from './account-texts.js'
import './own-key.js'
import { Section } from './section.js'

/** The user's own account: its key, and its end. */
class AccountSettings extends Section {
  constructor() {
    super()
    followState(this, ({ users }) => users)
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session } = this
    if (session === undefined) return nothing
    const report = (note: string): void => {
      this.note = note
    }
    return html`<div class="settings-body">
        <parley-own-key .session=${session} .report=${report}></parley-own-key>
        <fieldset>
          <legend>${accountTexts.account}</legend>
          <p class="quiet-text">${accountTexts.deactivateAbout}</p>
          <button
            class="plain"
            type="button"
            @click=${(event: Event) => void this.#deactivate(event, session)}
          >
            ${accountTexts.deactivate}
          </button>
        </fieldset>
      </div>
      ${this.status()}`
  }

  async #deactivate({ currentTarget }: Event, session: Session): Promise<void> {
    if (!(currentTarget instanceof HTMLElement)) return
    const { state, client } = session
    const bots = [...state.users.values()].filter(
      (each) => each.is_bot && each.is_active && each.bot_owner_id === state.me.user_id,
    )
    const question = accountTexts.deactivateQuestion(bots.map(({ full_name }) => full_name))
    if (!(await ask(currentTarget, question, accountTexts.deactivateNow))) return
    await this.run(
      () => client.api.deactivateOwnUser(),
      accountTexts.deactivated,
      accountTexts.notDeactivated,
    )
  }
}

define('parley-account-settings', AccountSettings)
