import type { UserStatus } from '@parley/client'
import { html, nothing, type TemplateResult } from 'lit'

import { pickEmoji } from '../emoji/picker.js'
import { followState } from '../session/follow-state.js'
import type { Session } from '../session/session.js'
import { define } from '../view/view.js'
import { choice, saveButton, textField, type Choice } from './fields.js'
import './password-form.js'
import './picture.js'
import './profile-fields.js'
import { profileTexts } from './profile-texts.js'
import { statusEmoji, type StatusEmoji } from './status-emoji.js'
import { UserSettingsSection } from './user-settings.js'

/** The user's profile, as others see it. */
class ProfileSettings extends UserSettingsSection {
  constructor() {
    super()
    followState(this, ({ statuses }) => statuses)
    followState(this, ({ emoji }) => emoji)
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session } = this
    if (session === undefined) return nothing
    const report = (note: string): void => {
      this.note = note
    }
    const { organization } = session.state
    return html`<div class="settings-body">
        ${this.#name(session)}
        <parley-own-picture .session=${session} .report=${report}></parley-own-picture>
        ${this.#status(session)} ${this.#timeZone()}
        <parley-profile-fields .session=${session} .report=${report}></parley-profile-fields>
        ${
          organization.realm_email_auth_enabled === true
            ? html`<parley-password .session=${session} .report=${report}></parley-password>`
            : nothing
        }
      </div>
      ${this.status()}`
  }

  #name(session: Session): TemplateResult {
    const { me, organization } = session.state
    const { realm_name_changes_disabled, server_name_changes_disabled } = organization
    const isLocked =
      realm_name_changes_disabled === true &&
      (!me.is_admin || server_name_changes_disabled === true)
    const name = this.entered.shown('full_name', me.full_name)
    const submit = (event: Event): void => {
      event.preventDefault()
      void this.saveText('full_name', profileTexts.name, [name.trim(), me.full_name], () =>
        session.client.api.updateSettings({ full_name: name.trim() }),
      )
    }
    return html`<form @submit=${submit}>
      ${textField({
        label: profileTexts.name,
        value: name,
        hint: isLocked ? profileTexts.nameLocked : '',
        isDisabled: isLocked,
        isRequired: true,
        maxLength: 100,
        input: (value) => this.#enter('full_name', value),
      })}
      ${isLocked ? nothing : saveButton(profileTexts.name, name.trim() !== me.full_name)}
    </form>`
  }

  #status(session: Session): TemplateResult {
    const stored = session.state.statuses.get(session.state.me.user_id)
    const storedText = stored?.status_text ?? ''
    const text = this.entered.shown('status', storedText)
    const storedEmoji = emojiKey(stored)
    const key = this.entered.shown('emoji', storedEmoji)
    const emoji = emojiOfKey(key)
    const submit = async (event: Event): Promise<void> => {
      event.preventDefault()
      this.entered.send('emoji', key, storedEmoji)
      await this.saveText('status', profileTexts.status, [text.trim(), storedText], () =>
        session.client.api.updateStatus({
          status_text: text.trim(),
          ...(emoji ?? { emoji_name: '' }),
        }),
      )
    }
    const pick = async ({ currentTarget }: Event): Promise<void> => {
      if (!(currentTarget instanceof HTMLElement)) return
      const chosen = await pickEmoji(currentTarget, session, profileTexts.chooseEmoji)
      if (chosen !== undefined) this.#enter('emoji', emojiKey(chosen))
    }
    return html`<form @submit=${submit}>
      <fieldset>
        <legend>${profileTexts.status}</legend>
        ${textField({
          label: profileTexts.statusText,
          value: text,
          maxLength: 60,
          input: (value) => this.#enter('status', value),
        })}
        <div class="picture">
          ${emoji === undefined ? nothing : statusEmoji(emoji, session)}
          <button type="button" class="plain" aria-haspopup="dialog" @click=${pick}>
            ${profileTexts.chooseEmoji}
          </button>
          ${
            emoji === undefined
              ? nothing
              : html`<button type="button" class="plain" @click=${() => this.#enter('emoji', '')}>
                  ${profileTexts.removeEmoji}
                </button>`
          }
        </div>
        ${saveButton(profileTexts.status, text.trim() !== storedText || key !== storedEmoji)}
      </fieldset>
    </form>`
  }

  #timeZone(): TemplateResult {
    const zones = Intl.supportedValuesOf('timeZone').map((zone): Choice<string> => [zone, zone])
    return choice(
      profileTexts.timeZone,
      this.setting('timezone') ?? '',
      [['', profileTexts.noTimeZone], ...zones],
      (zone) => this.change('timezone', profileTexts.timeZone, zone),
    )
  }

  #enter(name: string, value: string): void {
    this.entered.enter(name, value)
    this.requestUpdate()
  }
}

/** An emoji as a text, which can be compared; empty for none. */
function emojiKey(emoji: Partial<UserStatus> | undefined): string {
  if (emoji?.emoji_name === undefined || emoji.emoji_name === '') return ''
  return [emoji.reaction_type, emoji.emoji_code, emoji.emoji_name].join(' ')
}

function emojiOfKey(key: string): StatusEmoji | undefined {
  const [reaction_type, emoji_code, emoji_name] = key.split(' ')
  if (reaction_type === undefined || emoji_code === undefined || emoji_name === undefined) {
    return undefined
  }
  return { reaction_type, emoji_code, emoji_name }
}

define('parley-profile-settings', ProfileSettings)
