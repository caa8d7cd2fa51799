import { html, nothing, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'

import type { Session } from '../session/session.js'
import { define } from '../view/view.js'
import { alertWordTexts } from './alert-word-texts.js'
import { ItemList } from './item-list.js'

const maxWord = 100

/** Words of which the user is notified wherever they are written. */
class AlertWordList extends ItemList {
  protected override render(): TemplateResult | typeof nothing {
    const { session } = this
    if (session === undefined) return nothing
    const words = [...session.state.me.alert_words].sort((one, other) => one.localeCompare(other))
    const items = repeat(
      words,
      (word) => word,
      (word) =>
        html`<li class="entry">
          <span class="about" dir="auto">${word}</span>
          ${this.button(alertWordTexts.remove, alertWordTexts.removeWhat(word), () => {
            void this.#remove(word, session)
          })}
        </li>`,
    )
    return html`${this.list(
        alertWordTexts.title,
        alertWordTexts.none,
        words.length === 0 ? [] : [html`${items}`],
      )}
      <form @submit=${(event: Event) => void this.#add(event, session)}>
        <label class="pair"
          ><span>${alertWordTexts.word}</span>
          <input name="word" required dir="auto" autocomplete="off" maxlength=${maxWord} />
        </label>
        <div class="edit-buttons">
          <button class="plain" aria-label=${alertWordTexts.addWhat}>${alertWordTexts.add}</button>
        </div>
      </form>
      <p class="quiet-text">${alertWordTexts.about}</p>`
  }

  async #add(event: Event, session: Session): Promise<void> {
    event.preventDefault()
    const field = this.querySelector('input')
    const word = field?.value.trim() ?? ''
    if (field === null || word === '') return
    const folded = word.toLowerCase()
    if (session.state.me.alert_words.some((each) => each.toLowerCase() === folded)) {
      this.note = alertWordTexts.known(word)
      return
    }
    const isAdded = await this.run(
      () => session.client.api.addAlertWords({ alert_words: [word] }),
      alertWordTexts.added(word),
      (reason) => alertWordTexts.notAdded(word, reason),
    )
    // A word that was typed meanwhile is the next one.
    if (isAdded && field.value.trim() === word) field.value = ''
  }

  async #remove(word: string, session: Session): Promise<void> {
    const isRemoved = await this.run(
      () => session.client.api.removeAlertWords({ alert_words: [word] }),
      alertWordTexts.removed(word),
      (reason) => alertWordTexts.notRemoved(word, reason),
    )
    if (isRemoved) this.focusTitle()
  }
}

define('parley-alert-words', AlertWordList)
