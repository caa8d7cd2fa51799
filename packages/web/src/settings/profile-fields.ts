import type { ProfileField } from '@parley/client'
import { html, nothing, type TemplateResult } from 'lit'

import { followState } from '../session/follow-state.js'
import type { Session } from '../session/session.js'
import { define } from '../view/view.js'
import { choice, saveButton, textField, type Choice } from './fields.js'
import { profileTexts } from './profile-texts.js'
import { ReportingSection } from './reporting-section.js'

/** Numbers of the API. */
const kinds = { long: 2, choice: 3, date: 4, link: 5, people: 6 } as const
const maxShort = 50

/** The profile fields that the organization asks its users to fill in. */
class ProfileFields extends ReportingSection {
  constructor() {
    super()
    followState(this, ({ users }) => users)
    followState(this, ({ profileFields }) => profileFields)
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session } = this
    const fields = session?.state.profileFields ?? []
    if (session === undefined || fields.length === 0) return nothing
    return html`<fieldset>
      <legend>${profileTexts.more}</legend>
      ${fields.map((field) => this.#field(field, session))}
    </fieldset>`
  }

  #field(field: ProfileField, session: Session): TemplateResult {
    const { me, users } = session.state
    const stored = users.get(me.user_id)?.profile_data?.[String(field.id)]?.value ?? ''
    const isLocked = !field.editable_by_user && !me.is_admin
    if (field.type === kinds.people) return peopleField(field, stored, session)
    const name = `field ${field.id}`
    const value = this.entered.shown(name, stored)
    const update = (next: string): Promise<unknown> =>
      session.client.api.updateProfileData({ data: [{ id: field.id, value: next }] })
    if (field.type === kinds.choice && !isLocked) {
      return choice(field.name, value, choicesOf(field), (next) => {
        void this.saveAtOnce(name, field.name, [next, stored], () => update(next))
      })
    }
    const submit = (event: Event): void => {
      event.preventDefault()
      void this.saveText(name, field.name, [value.trim(), stored], () => update(value.trim()))
    }
    const shown =
      field.type === kinds.choice
        ? (choicesOf(field).find(([key]) => key === value)?.[1] ?? value)
        : value
    const hints = [
      field.hint,
      field.required ? profileTexts.required : '',
      isLocked ? profileTexts.locked : '',
    ]
    return html`<form @submit=${submit}>
      ${textField({
        label: field.name,
        value: shown,
        hint: hints.filter(Boolean).join(' · '),
        ...typeOf(field),
        isDisabled: isLocked,
        input: (next) => {
          this.entered.enter(name, next)
          this.requestUpdate()
        },
      })}
      ${isLocked ? nothing : saveButton(field.name, value.trim() !== stored)}
    </form>`
  }
}

function typeOf({ type }: ProfileField): {
  readonly type?: 'long' | 'date' | 'url'
  readonly maxLength?: number
} {
  switch (type) {
    case kinds.long:
      return { type: 'long', maxLength: 500 }
    case kinds.date:
      return { type: 'date' }
    case kinds.link:
      return { type: 'url' }
    default:
      return { maxLength: maxShort }
  }
}

/** The people of a field, whom this page does not change. */
function peopleField(field: ProfileField, stored: string, session: Session): TemplateResult {
  const ids: unknown = stored === '' ? [] : JSON.parse(stored)
  const names = Array.isArray(ids) ? ids.map((id) => session.nameOf(Number(id))) : []
  return html`<div class="pair">
    <span>${field.name} <span class="quiet-text">${profileTexts.peopleLocked}</span></span>
    <div>${names.length === 0 ? profileTexts.notSet : names.join(', ')}</div>
  </div>`
}

/** The options of a field, in the order of the organization. */
function choicesOf({ field_data }: ProfileField): Choice<string>[] {
  // Its schema is that of the API: texts and positions by keys.
  const options = JSON.parse(field_data) as Readonly<
    Record<string, { readonly text: string; readonly order: string }>
  >
  const inOrder = Object.entries(options).sort(
    ([, one], [, other]) => Number(one.order) - Number(other.order),
  )
  return [
    ['', profileTexts.notSet],
    ...inOrder.map(([key, { text }]): Choice<string> => [key, text]),
  ]
}

define('parley-profile-fields', ProfileFields)
