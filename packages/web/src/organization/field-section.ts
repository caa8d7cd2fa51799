import type { ProfileField } from '@parley/client'
import { html, nothing, type TemplateResult } from 'lit'

import { followState } from '../session/follow-state.js'
import type { Session } from '../session/session.js'
import { choice, textField, type Choice } from '../settings/fields.js'
import { define } from '../view/view.js'
import {
  customAccount,
  draftOf,
  fieldDataOf,
  fieldTypes,
  fitsSummary,
  isBuiltIn,
  newField,
  typeOf,
  type FieldDraft,
  type FieldType,
} from './field-form.js'
import { fieldOptions } from './field-options.js'
import { fieldTexts } from './field-texts.js'
import { formField, problemText, textsOf } from './form-field.js'
import { OrderedList } from './ordered-list.js'

/** Limits of the server. */
const maxName = 40
const maxHint = 80

/** The profile fields that the organization asks its users to fill in. */
class FieldSection extends OrderedList<ProfileField> {
  static override properties = { ...OrderedList.properties, draft: { state: true } }
  declare draft: FieldDraft

  constructor() {
    super()
    this.draft = newField
    followState(this, ({ profileFields }) => profileFields)
  }

  protected override reorder(order: readonly number[]): Promise<unknown> {
    return this.session?.client.api.reorderCustomProfileFields({ order }) ?? Promise.resolve()
  }

  protected override edit(item: ProfileField | 'new'): void {
    this.draft = item === 'new' ? newField : draftOf(item)
    super.edit(item)
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session, edited } = this
    if (session === undefined) return nothing
    const entries = this.ordered(
      session.state.profileFields,
      (item) => item.name,
      (item) => this.#form(item, session),
      (item, moveButtons) => this.#item(item, session, moveButtons),
    )
    return this.list(
      fieldTexts.title,
      fieldTexts.none,
      entries,
      edited === 'new' ? this.#form(undefined, session) : this.addButton(fieldTexts.add),
    )
  }

  #item(item: ProfileField, session: Session, moveButtons: TemplateResult): TemplateResult {
    const { id, name, hint, type, required, editable_by_user, display_in_profile_summary } = item
    const { marks } = fieldTexts
    const about = [
      fieldTexts.types[typeOf(type)],
      hint,
      display_in_profile_summary === true ? marks.inSummary : '',
      required ? marks.required : '',
      editable_by_user ? '' : marks.locked,
    ]
    return html`<li class="entry" data-key=${id}>
      <div class="about">
        <strong dir="auto">${name}</strong>
        <div class="quiet-text">${about.filter(Boolean).join(' · ')}</div>
      </div>
      <div class="edit-buttons">
        ${moveButtons} ${this.editButton(name, item)}
        ${this.deleteButton(
          name,
          () => session.client.api.deleteCustomProfileField({ field_id: id }),
          fieldTexts.deleteQuestion(name),
        )}
      </div>
    </li>`
  }

  #form(item: ProfileField | undefined, session: Session): TemplateResult {
    const { draft, problem } = this
    const isFixed = isBuiltIn(draft)
    const submit = (event: Event): void => {
      event.preventDefault()
      if (event.target instanceof HTMLFormElement) this.#save(event.target, item, session)
    }
    return html`<form @submit=${submit}>
      ${item === undefined ? this.#types() : nothing}
      ${draft.type === fieldTypes.account ? this.#account(item, session) : nothing}
      ${
        isFixed
          ? nothing
          : html`${formField({
              name: 'name',
              label: fieldTexts.name,
              value: item?.name ?? '',
              maxLength: maxName,
              problem,
            })}
            ${formField({
              name: 'hint',
              label: fieldTexts.hint,
              hint: fieldTexts.hintHint,
              value: item?.hint ?? '',
              maxLength: maxHint,
              isOptional: true,
              problem,
            })}`
      }
      ${
        draft.type === fieldTypes.options
          ? fieldOptions(draft.options, (options) => (this.draft = { ...this.draft, options }))
          : nothing
      }
      ${
        fitsSummary(draft)
          ? flag('summary', fieldTexts.inSummary, item?.display_in_profile_summary === true)
          : nothing
      }
      ${flag('required', fieldTexts.required, item?.required === true)}
      ${flag('editable', fieldTexts.editable, item?.editable_by_user !== false)}
      ${problemText(problem)} ${this.formButtons(() => void this.end(item?.id))}
    </form>`
  }

  #types(): TemplateResult {
    const types = Object.values(fieldTypes).map((type): Choice<FieldType> => [
      type,
      fieldTexts.types[type],
    ])
    return choice(fieldTexts.type, this.draft.type, types, (type) => {
      this.draft = { ...this.draft, type }
    })
  }

  /** The kind of an external account cannot be changed later. */
  #account(item: ProfileField | undefined, session: Session): TemplateResult {
    const { subtype, pattern } = this.draft
    const known = Object.entries(session.state.organization.realm_default_external_accounts ?? {})
    const choices: readonly Choice<string>[] = [
      ...known.map(([key, { text }]): Choice<string> => [key, text]),
      [customAccount, fieldTexts.otherAccount],
    ]
    return html`${
      item === undefined
        ? choice(fieldTexts.account, subtype, choices, (next) => {
            this.draft = { ...this.draft, subtype: next }
          })
        : nothing
    }
    ${
      subtype === customAccount
        ? textField({
            label: fieldTexts.pattern,
            hint: fieldTexts.patternHint,
            value: pattern,
            isRequired: true,
            input: (next) => (this.draft = { ...this.draft, pattern: next }),
          })
        : nothing
    }`
  }

  #save(form: HTMLFormElement, item: ProfileField | undefined, session: Session): void {
    const { draft } = this
    const { api } = session.client
    const text = textsOf(form)
    const isOn = (name: string): boolean => text(name) === 'on'
    const flags = {
      required: isOn('required'),
      editable_by_user: isOn('editable'),
      display_in_profile_summary: isOn('summary'),
    }
    const own = { name: text('name'), hint: text('hint'), field_data: fieldDataOf(draft) }
    const described = { ...(isBuiltIn(draft) ? {} : own), ...flags }
    const name = isBuiltIn(draft) ? (item?.name ?? draft.subtype) : own.name
    void this.submit(name, item?.id, () =>
      item === undefined
        ? api.createCustomProfileField({
            ...described,
            field_type: draft.type,
            field_data: own.field_data,
          })
        : api.updateCustomProfileField({ field_id: item.id, ...described }),
    )
  }
}

function flag(name: string, label: string, isOn: boolean): TemplateResult {
  return html`<label class="check"
    ><input type="checkbox" name=${name} ?checked=${isOn} /> <span>${label}</span></label
  >`
}

define('parley-field-section', FieldSection)
