import type { UserGroup } from '@parley/client'
import { html, nothing, type TemplateResult } from 'lit'

import { followState } from '../session/follow-state.js'
import type { Session } from '../session/session.js'
import { ReportingSection } from '../settings/reporting-section.js'
import { define } from '../view/view.js'
import { groupTexts } from './group-texts.js'
import { readOnly } from './manage-section.js'
import { namesOf } from './names.js'
import { chosenOf, isRole, settingOf, type GroupSetting } from './permission.js'
import './picker.js'

/** A permission setting of a channel or a group. */
export interface PermissionField {
  /** Its name on the wire. */
  readonly name: string
  readonly label: string
  readonly value: GroupSetting
  readonly allowsEveryone: boolean
  readonly mayChange: boolean
}

export interface PermissionChange {
  readonly new: GroupSetting
  readonly old: GroupSetting
}

/** The permission settings of a channel or a group. */
class Permissions extends ReportingSection {
  static override properties = {
    ...ReportingSection.properties,
    heading: { attribute: false },
    fields: { attribute: false },
    change: { attribute: false },
  }
  declare heading: string
  declare fields: readonly PermissionField[]
  declare change: (name: string, values: PermissionChange) => Promise<unknown>

  constructor() {
    super()
    followState(this, ({ groups }) => groups)
    followState(this, ({ users }) => users)
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session } = this
    if (session === undefined) return nothing
    return html`<fieldset>
      <legend>${this.heading}</legend>
      ${this.fields.map((field) => this.#field(field, session))}
    </fieldset>`
  }

  #field(field: PermissionField, session: Session): TemplateResult {
    const { name, label, value: stored } = field
    const shown = this.entered.shown(name, stored)
    const chosen = chosenOf(shown, session.state)
    if (!field.mayChange) {
      return readOnly(label, namesOf(chosen, session.state).join(', ') || groupTexts.nobody)
    }
    const offersGroup = (group: UserGroup): boolean =>
      field.allowsEveryone || !isRole(group, 'role:everyone')
    return html`<div class="permission">
      <div aria-hidden="true">${label}</div>
      <parley-picker
        .session=${session}
        .label=${label}
        .chosen=${chosen}
        .none=${groupTexts.nobody}
        .offersUser=${() => true}
        .offersGroup=${offersGroup}
        .change=${(next: typeof chosen) => {
          const value = settingOf(next)
          // The server refuses it if another user has changed the setting meanwhile.
          void this.saveAtOnce(name, label, [value, stored], () =>
            this.change(name, { new: value, old: shown }),
          )
          this.requestUpdate()
        }}
      ></parley-picker>
    </div>`
  }
}

define('parley-permissions', Permissions)
