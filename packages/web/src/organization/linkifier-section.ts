import type { Linkifier } from '@parley/client'
import { html, nothing, type TemplateResult } from 'lit'

import { followState } from '../session/follow-state.js'
import type { Session } from '../session/session.js'
import { define } from '../view/view.js'
import { formField, problemText, textsOf } from './form-field.js'
import { linkifierTexts } from './linkifier-texts.js'
import { OrderedList } from './ordered-list.js'

/** Limits of the server. */
const maxPattern = 2000
const maxTemplate = 10_000

/** The patterns of texts that become links in messages. */
class LinkifierSection extends OrderedList<Linkifier> {
  constructor() {
    super()
    followState(this, ({ linkifiers }) => linkifiers)
  }

  protected override reorder(ids: readonly number[]): Promise<unknown> {
    const { api } = this.session?.client ?? {}
    return api?.reorderLinkifiers({ ordered_linkifier_ids: ids }) ?? Promise.resolve()
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session, edited } = this
    if (session === undefined) return nothing
    const entries = this.ordered(
      session.state.linkifiers,
      (item) => item.pattern,
      (item) => this.#form(item, session),
      (item, moveButtons) => this.#item(item, session, moveButtons),
    )
    return this.list(
      linkifierTexts.title,
      linkifierTexts.none,
      entries,
      html`${edited === 'new' ? this.#form(undefined, session) : this.addButton(linkifierTexts.add)}
        <p class="quiet-text">${linkifierTexts.about}</p>`,
    )
  }

  #item(item: Linkifier, session: Session, moveButtons: TemplateResult): TemplateResult {
    const { id, pattern, url_template } = item
    return html`<li class="entry" data-key=${id}>
      <div class="about">
        <code dir="ltr">${pattern}</code>
        <div class="quiet-text" dir="ltr">${url_template}</div>
      </div>
      <div class="edit-buttons">
        ${moveButtons} ${this.editButton(pattern, item)}
        ${this.deleteButton(pattern, () => session.client.api.removeLinkifier({ filter_id: id }))}
      </div>
    </li>`
  }

  #form(item: Linkifier | undefined, session: Session): TemplateResult {
    const submit = (event: Event): void => {
      event.preventDefault()
      if (!(event.target instanceof HTMLFormElement)) return
      const text = textsOf(event.target)
      const values = { pattern: text('pattern'), url_template: text('url_template') }
      const { api } = session.client
      void this.submit(values.pattern, item?.id, () =>
        item === undefined
          ? api.addLinkifier(values)
          : api.updateLinkifier({ filter_id: item.id, ...values }),
      )
    }
    const { problem } = this
    return html`<form @submit=${submit}>
      ${formField({
        name: 'pattern',
        label: linkifierTexts.pattern,
        hint: linkifierTexts.patternHint,
        value: item?.pattern ?? '',
        maxLength: maxPattern,
        problem: problem?.field === '__all__' ? { ...problem, field: 'pattern' } : problem,
      })}
      ${formField({
        name: 'url_template',
        label: linkifierTexts.template,
        hint: linkifierTexts.templateHint,
        value: item?.url_template ?? '',
        maxLength: maxTemplate,
        problem,
      })}
      ${problemText(problem)} ${this.formButtons(() => void this.end(item?.id))}
    </form>`
  }
}

define('parley-linkifier-section', LinkifierSection)
