import type { Draft } from '@parley/client'
import { html, nothing, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'

import { placeOf } from '../drafts/draft-values.js'
import { placeKey } from '../place.js'
import { followState } from '../session/follow-state.js'
import type { Session } from '../session/session.js'
import { placeName } from '../view/place-name.js'
import { localTime } from '../view/times.js'
import { define } from '../view/view.js'
import { excerptOf, ItemList } from './item-list.js'
import { laterTexts } from './later-texts.js'

/** The drafts of the user, on all devices. */
class DraftList extends ItemList {
  constructor() {
    super()
    followState(this, ({ drafts }) => drafts)
    followState(this, ({ channels }) => channels)
    followState(this, ({ users }) => users)
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session } = this
    if (session === undefined) return nothing
    const { drafts, me } = session.state
    const newestFirst = [...drafts.values()].sort(
      (one, other) => other.timestamp - one.timestamp || other.id - one.id,
    )
    /** The composer of a conversation has its newest draft. */
    const inComposers = new Map<string, Draft>()
    for (const draft of newestFirst.toReversed()) {
      const place = placeOf(draft, session)
      if (place !== undefined) inComposers.set(placeKey(place), draft)
    }
    const items = repeat(
      newestFirst,
      ({ id }) => id,
      (draft) => this.#item(draft, session, inComposers),
    )
    return this.list(
      laterTexts.drafts,
      me.user_settings.enable_drafts_synchronization ? laterTexts.noDrafts : laterTexts.draftsOff,
      newestFirst.length === 0 ? [] : [html`${items}`],
    )
  }

  #item(draft: Draft, session: Session, inComposers: ReadonlyMap<string, Draft>): TemplateResult {
    const { id: draft_id, content, timestamp } = draft
    const what = excerptOf(content)
    const place = placeOf(draft, session)
    const isInComposer = place !== undefined && inComposers.get(placeKey(place)) === draft
    return html`<li>
      <div class="quiet-text">
        ${place === undefined ? laterTexts.noPlace : placeName(place, session)} ·
        ${localTime(timestamp)}
      </div>
      <p dir="auto">${content}</p>
      <div class="edit-buttons">
        ${
          isInComposer
            ? this.button(laterTexts.open, laterTexts.openWhat(what), () =>
                this.tell('parley-go', { place }),
              )
            : this.insertButton(what, content)
        }
        ${this.deleteButton(what, () => session.client.api.deleteDraft({ draft_id }))}
      </div>
    </li>`
  }
}

define('parley-drafts', DraftList)
