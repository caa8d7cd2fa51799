import type { ChannelState } from '@parley/client'
import { html, nothing, type TemplateResult } from 'lit'

import { readOnly } from '../groups/manage-section.js'
import type { Session } from '../session/session.js'
import { checkbox, choice, type Choice } from '../settings/fields.js'
import { followState } from '../session/follow-state.js'
import { ask } from '../view/ask.js'
import { define } from '../view/view.js'
import './channel-retention.js'
import { ChannelSection } from './channel-section.js'
import { channelTexts } from './channel-texts.js'
import { possiblePrivacy, privacyFlags, privacyOf } from './privacy.js'
import { retentionText } from './retention.js'
import type { ChannelRights } from './rights.js'

type TopicsPolicy = keyof typeof channelTexts.topicsPolicies

/** The name, the description and the privacy of a channel. */
class ChannelGeneral extends ChannelSection {
  constructor() {
    super()
    followState(this, ({ folders }) => folders)
  }

  protected override section(
    channel: ChannelState,
    rights: ChannelRights,
    session: Session,
  ): TemplateResult {
    return html`<div class="settings-body">
        ${rights.administers ? nothing : html`<p class="quiet-text">${channelTexts.readOnlyHint}</p>`}
        ${this.#name(channel, rights, session)} ${this.#description(channel, rights, session)}
        ${this.#privacy(channel, rights, session)} ${this.#default(channel, rights, session)}
        ${this.#retention(channel, rights, session)} ${this.#topics(channel, rights)}
        ${this.#folder(channel, rights, session)}
        ${rights.administers ? this.#state(channel) : nothing}
      </div>
      ${this.status()}`
  }

  #name({ name }: ChannelState, rights: ChannelRights, session: Session): TemplateResult {
    const label = channelTexts.name
    if (!rights.administers) return readOnly(label, name)
    return this.savedText({
      name: 'name',
      label,
      stored: name,
      isRequired: true,
      maxLength: session.state.organization.max_stream_name_length ?? 60,
      save: (next) => this.change({ new_name: next }),
    })
  }

  #description(
    { description }: ChannelState,
    rights: ChannelRights,
    session: Session,
  ): TemplateResult {
    const label = channelTexts.description
    if (!rights.administers) return readOnly(label, description || channelTexts.none)
    return this.savedText({
      name: 'description',
      label,
      stored: description,
      type: 'long',
      maxLength: session.state.organization.max_stream_description_length ?? 1024,
      save: (next) => this.change({ description: next }),
    })
  }

  /** It is saved by a button: a wrong choice would show messages to others. */
  #privacy(channel: ChannelState, rights: ChannelRights, session: Session): TemplateResult {
    const label = channelTexts.privacy
    const stored = privacyOf(channel)
    const kinds = possiblePrivacy(channel, session.state)
    if (!rights.administers || !rights.reads || kinds.length === 1) {
      const hint = rights.administers && !rights.reads ? channelTexts.privacyNeedsContent : ''
      return readOnly(
        label,
        html`${channelTexts.privacyKinds[stored]}
          <div class="quiet-text">${channelTexts.privacyHints[stored]} ${hint}</div>`,
      )
    }
    const value = this.entered.shown('privacy', stored)
    const submit = (event: Event): void => {
      event.preventDefault()
      const { invite_only, ...flags } = privacyFlags(value)
      void this.saveText('privacy', label, [value, stored], () =>
        this.change({ is_private: invite_only, ...flags }),
      )
    }
    return html`<form @submit=${submit}>
      ${choice(
        label,
        value,
        kinds.map((kind) => [kind, channelTexts.privacyKinds[kind]] as const),
        (kind) => this.enter('privacy', kind),
      )}
      <p class="quiet-text" role="status">${channelTexts.privacyHints[value]}</p>
      ${this.saveButton(label, value !== stored && !this.entered.isSent('privacy'))}
    </form>`
  }

  #default(channel: ChannelState, rights: ChannelRights, session: Session): TemplateResult {
    const { stream_id, invite_only } = channel
    const stored = session.state.organization.realm_default_streams?.includes(stream_id) === true
    const label = channelTexts.default
    if (!rights.setsDefault || (invite_only && !stored)) {
      const hint = rights.setsDefault ? ` (${channelTexts.privateDefault})` : ''
      return readOnly(label, `${stored ? channelTexts.yes : channelTexts.no}${hint}`)
    }
    return checkbox(label, this.entered.shown('default', stored), (isOn) => {
      void this.saveAtOnce('default', label, [isOn, stored], () =>
        this.change({ is_default_stream: isOn }),
      )
    })
  }

  #retention(channel: ChannelState, rights: ChannelRights, session: Session): TemplateResult {
    const { message_retention_days: stored, stream_id } = channel
    if (!rights.setsRetention) {
      return readOnly(channelTexts.retention, retentionText(stored, session.state))
    }
    return html`<parley-channel-retention
      .session=${session}
      .channelId=${stream_id}
      .report=${(note: string) => (this.note = note)}
    ></parley-channel-retention>`
  }

  #topics({ topics_policy: stored }: ChannelState, rights: ChannelRights): TemplateResult {
    const label = channelTexts.topics
    // Its keys are those of the type.
    const policies = Object.entries(channelTexts.topicsPolicies) as [TopicsPolicy, string][]
    if (!rights.setsTopicsPolicy) {
      return readOnly(label, policies.find(([policy]) => policy === stored)?.[1] ?? stored)
    }
    return choice<string>(label, this.entered.shown('topics', stored), policies, (policy) => {
      void this.saveAtOnce('topics', label, [policy, stored], () =>
        this.change({ topics_policy: policy }),
      )
    })
  }

  #folder(
    { folder_id: stored }: ChannelState,
    rights: ChannelRights,
    session: Session,
  ): TemplateResult | typeof nothing {
    const folders = [...session.state.folders.values()]
      .filter(({ id, is_archived }) => !is_archived || id === stored)
      .sort((one, other) => one.order - other.order)
    if (folders.length === 0) return nothing
    const label = channelTexts.folder
    const choices: Choice<number | null>[] = [
      [null, channelTexts.noFolder],
      ...folders.map(({ id, name }): Choice<number | null> => [id, name]),
    ]
    if (!rights.administers) {
      return readOnly(label, choices.find(([id]) => id === stored)?.[1] ?? channelTexts.noFolder)
    }
    return choice(label, this.entered.shown('folder', stored), choices, (folder_id) => {
      void this.saveAtOnce('folder', label, [folder_id, stored], () => this.change({ folder_id }))
    })
  }

  #state({ stream_id, name, is_archived }: ChannelState): TemplateResult {
    const change = async ({ currentTarget }: Event): Promise<void> => {
      const { session } = this
      if (session === undefined || !(currentTarget instanceof HTMLElement)) return
      if (is_archived) {
        await this.act(
          () => this.change({ is_archived: false }),
          channelTexts.wasRestored,
          channelTexts.notDone,
        )
      } else if (
        await ask(currentTarget, channelTexts.archiveQuestion(name), channelTexts.archiveNow)
      ) {
        await this.act(
          () => session.client.api.archiveStream({ stream_id }),
          channelTexts.wasArchived,
          channelTexts.notDone,
        )
      }
    }
    return html`<fieldset>
      <legend>${channelTexts.state}</legend>
      <button class="plain" type="button" @click=${change}>
        ${is_archived ? channelTexts.restore : channelTexts.archive}
      </button>
    </fieldset>`
  }
}

define('parley-channel-general', ChannelGeneral)
