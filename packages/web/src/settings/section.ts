import type { TemplateResult } from 'lit'
import { html } from 'lit'

import { followState } from '../session/follow-state.js'
import { reasonOf } from '../view/reason.js'
import { View } from '../view/view.js'
import { EnteredValues } from './entered-values.js'
import { settingsTexts } from './settings-texts.js'

/** A part of the settings. It says what was saved, and what was not and why. */
export class Section extends View {
  static override properties: Record<string, object> = {
    ...View.properties,
    note: { state: true },
  }
  declare note: string
  protected readonly entered = new EnteredValues()
  /** Changes are sent one after the other, so that the last one of a setting applies. */
  #last: Promise<unknown> = Promise.resolve()

  constructor() {
    super()
    this.note = ''
    followState(this, ({ me }) => me)
    followState(this, ({ organization }) => organization)
  }

  /** @returns whether the server has accepted it. */
  protected async run(
    action: () => Promise<unknown>,
    done: string,
    failed: (reason: string) => string,
  ): Promise<boolean> {
    const running = this.#last.then(action)
    this.#last = running.catch(() => {})
    this.note = ''
    try {
      await running
      this.note = done
      return true
    } catch (error) {
      this.note = failed(reasonOf(error))
      return false
    }
  }

  /** Saves something that has a name. */
  protected save(what: string, action: () => Promise<unknown>): Promise<boolean> {
    return this.run(action, settingsTexts.saved(what), (reason) =>
      settingsTexts.failed(what, reason),
    )
  }

  /** Saves the value of a control that has no button of its own; it goes back if that fails. */
  protected async saveAtOnce(
    name: string,
    what: string,
    [value, stored]: readonly [value: unknown, stored: unknown],
    action: () => Promise<unknown>,
  ): Promise<void> {
    this.entered.send(name, value, stored)
    if (!(await this.save(what, action))) this.entered.forget(name)
    this.requestUpdate()
  }

  /** Saves a text that has a button; it stays in its field if that fails. */
  protected async saveText(
    name: string,
    what: string,
    [value, stored]: readonly [value: string, stored: string],
    action: () => Promise<unknown>,
  ): Promise<void> {
    this.entered.send(name, value, stored)
    if (!(await this.save(what, action))) this.entered.refuse(name, value)
    this.requestUpdate()
  }

  protected delete(action: () => Promise<unknown>): Promise<boolean> {
    return this.run(action, settingsTexts.deleted, settingsTexts.notDeleted)
  }

  protected status(): TemplateResult {
    return html`<div role="status" class="settings-status">${this.note}</div>`
  }
}
