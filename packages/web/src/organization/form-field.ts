import { ApiError } from '@parley/client'
import { html, nothing, type TemplateResult } from 'lit'

import { reasonOf } from '../view/reason.js'

/** Why a form was refused. */
export interface Problem {
  /** The name of the field that it is about; undefined for the whole form. */
  readonly field: string | undefined
  readonly text: string
}

/** The problem of a form that the server has refused; some errors name a field. */
export function problemOf(error: unknown): Problem {
  const errors: unknown = error instanceof ApiError ? error.details['errors'] : undefined
  // Of invitations, each refused address has a reason.
  if (Array.isArray(errors)) {
    const reasons = errors.map((each) => (Array.isArray(each) ? each.slice(0, 2).join(': ') : ''))
    return { field: undefined, text: [reasonOf(error), ...reasons].join(' ') }
  }
  const [field] = typeof errors === 'object' && errors !== null ? Object.keys(errors) : []
  return { field, text: reasonOf(error) }
}

export interface FormField {
  readonly name: string
  readonly label: string
  /** The value of the field at first. */
  readonly value: string
  readonly hint?: string
  readonly maxLength: number
  readonly isDisabled?: boolean
  readonly isOptional?: boolean
  readonly problem: Problem | undefined
}

/** Spaces alone are no text. */
const notBlank = '.*\\S.*'

/** A field for a text in a form, with its problem. */
export function formField(field: FormField): TemplateResult {
  const { name, label, value, hint = '', maxLength, isDisabled = false } = field
  const isWrong = field.problem?.field === name
  return html`<label class="pair"
      ><span
        >${label}${hint === '' ? nothing : html` <span class="quiet-text">${hint}</span>`}</span
      >
      <input
        name=${name}
        dir="auto"
        autocomplete="off"
        maxlength=${maxLength}
        ?disabled=${isDisabled}
        ?required=${field.isOptional !== true}
        pattern=${field.isOptional === true ? nothing : notBlank}
        aria-invalid=${isWrong ? 'true' : nothing}
        aria-describedby=${isWrong ? `problem-${name}` : nothing}
        .value=${value}
      />
    </label>
    ${problemText(field.problem, name)}`
}

/** The text of the problem of a field; or, without one, of the form. */
export function problemText(problem: Problem | undefined, field?: string): TemplateResult {
  const text = problem !== undefined && problem.field === field ? problem.text : ''
  return html`<div class="problem" role="alert" id="problem-${field ?? 'form'}">${text}</div>`
}

/** The texts of a form's fields, without spaces around them. */
export function textsOf(form: HTMLFormElement): (name: string) => string {
  const fields = new FormData(form)
  return (name) => {
    const value = fields.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
}
