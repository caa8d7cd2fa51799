import type { OwnUser } from '@parley/client'
import type { TemplateResult } from 'lit'

import { checkbox, choice, type Choice } from './fields.js'
import { Section } from './section.js'

type UserSettings = OwnUser['user_settings']

export type SwitchName = {
  [Name in keyof UserSettings]: UserSettings[Name] extends boolean ? Name : never
}[keyof UserSettings]

export type ChoiceName = Exclude<keyof UserSettings, SwitchName | 'timezone' | 'default_language'>

/** A section with personal settings, which are saved when they are changed. */
export class UserSettingsSection extends Section {
  protected setting<Name extends keyof UserSettings>(name: Name): UserSettings[Name] | undefined {
    const settings = this.session?.state.me.user_settings
    return settings === undefined ? undefined : this.entered.shown(name, settings[name])
  }

  protected switches(labels: Partial<Record<SwitchName, string>>): TemplateResult[] {
    // Its keys are those of the type.
    const entries = Object.entries(labels) as [SwitchName, string][]
    return entries.map(([name, label]) =>
      checkbox(label, this.setting(name) === true, (isOn) => this.change(name, label, isOn)),
    )
  }

  protected choice<Name extends ChoiceName>(
    name: Name,
    label: string,
    choices: readonly Choice<UserSettings[Name]>[],
  ): TemplateResult {
    return choice<UserSettings[Name] | undefined>(label, this.setting(name), choices, (value) =>
      this.change(name, label, value),
    )
  }

  protected change(name: keyof UserSettings, label: string, value: unknown): void {
    const { session } = this
    if (session === undefined) return
    const stored = session.state.me.user_settings[name]
    void this.saveAtOnce(name, label, [value, stored], () =>
      session.client.api.updateSettings({ [name]: value }),
    )
  }
}
