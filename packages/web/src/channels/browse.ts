import type { ChannelState } from '@parley/client'
import { html, nothing, render, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'

import '../on-demand.js'
import { dialogTexts } from '../dialog-texts.js'
import { hashOf, type Place } from '../place.js'
import { followState } from '../session/follow-state.js'
import type { Session } from '../session/session.js'
import { checkbox } from '../settings/fields.js'
import { texts } from '../texts.js'
import { ask } from '../view/ask.js'
import { channelIcon } from '../view/channel-icon.js'
import { dialogHead, showDialog } from '../view/dialog.js'
import { icon } from '../view/icons.js'
import { best, matches } from '../view/matching.js'
import { reasonOf } from '../view/reason.js'
import { define, View } from '../view/view.js'
import { creatableKinds, type NewChannel } from './create-form.js'

const maxShown = 100

/** Lets the user find, join, leave and create channels. */
export async function browseChannels(opener: HTMLElement, session: Session): Promise<void> {
  const dialog = document.createElement('dialog')
  render(html`<parley-channels .session=${session}></parley-channels>`, dialog)
  await showDialog(dialog, opener, 'sheet', texts.channels)
}

/** All channels that the user can see, or a form for a new one. */
class ChannelBrowser extends View {
  static override properties = {
    ...View.properties,
    words: { state: true },
    isCreating: { state: true },
    showsArchived: { state: true },
    note: { state: true },
  }
  declare words: string
  declare isCreating: boolean
  declare showsArchived: boolean
  /** The result of the last action, or why it has failed. */
  declare note: string
  #isBusy = false
  #hadFocus = false

  constructor() {
    super()
    this.words = this.note = ''
    this.isCreating = this.showsArchived = false
    followState(this, ({ channels }) => channels)
    followState(this, ({ me }) => me.is_guest)
    followState(this, ({ groups }) => groups)
    followState(this, ({ organization }) => organization)
  }

  protected override willUpdate(): void {
    this.#hadFocus = this.matches(':focus-within')
  }

  protected override updated(changed: Map<string, unknown>): void {
    // The button of a channel may have gone with it.
    const isLost = this.#hadFocus && !this.matches(':focus-within')
    if (isLost || changed.has('isCreating')) this.querySelector('input')?.focus()
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session } = this
    if (session === undefined) return nothing
    const status = html`<div role="status" class="hint">${this.note}</div>`
    if (this.isCreating) {
      return html`${dialogHead(dialogTexts.createChannel)}
        <parley-new-channel
          .session=${session}
          .create=${this.#create}
          .cancel=${() => this.#show(false)}
        ></parley-new-channel>
        ${status}`
    }
    const found = this.#find(session)
    return html`${dialogHead(texts.channels)}
      <input
        type="search"
        placeholder=${dialogTexts.findChannels}
        aria-label=${dialogTexts.findChannels}
        .value=${this.words}
        @input=${this.#changed}
      />
      ${
        [...session.state.channels.values()].some(({ is_archived }) => is_archived)
          ? checkbox(dialogTexts.archivedChannels, this.showsArchived, (isOn) => {
              this.showsArchived = isOn
            })
          : nothing
      }
      ${
        found.length === 0
          ? html`<p class="note" role="status">${dialogTexts.noChannels}</p>`
          : html`<ul class="options" aria-label=${texts.channels}>
              ${repeat(
                found,
                ({ stream_id }) => stream_id,
                (channel) => this.#channel(channel),
              )}
            </ul>`
      }
      ${status}
      ${
        creatableKinds(session).length === 0
          ? nothing
          : html`<div class="edit-buttons">
              <button class="plain" @click=${() => this.#show(true)}>
                ${dialogTexts.createChannel}
              </button>
            </div>`
      }`
  }

  #show(isCreating: boolean): void {
    this.isCreating = isCreating
    this.words = this.note = ''
  }

  #find({ state }: Session): ChannelState[] {
    const words = this.words.trim()
    const channels = [...state.channels.values()].filter(
      ({ name, is_archived }) => is_archived === this.showsArchived && matches(name, words),
    )
    return best(channels, words, ({ name }) => name, maxShown)
  }

  #channel(channel: ChannelState): TemplateResult {
    const { stream_id: channelId, name, description, subscriber_count, subscription } = channel
    const isIn = subscription !== undefined
    const place: Place = { kind: 'channel', channelId }
    const open = (event: MouseEvent): void => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      this.tell('parley-go', { place })
    }
    return html`<li>
      ${icon(channelIcon(channel.invite_only, channel.is_web_public))}
      <div class="body">
        <a class="name" dir="auto" href=${hashOf({ place })} @click=${open}>${name}</a>
        <div class="hint">
          ${[dialogTexts.subscribers(subscriber_count), description].filter(Boolean).join(' · ')}
        </div>
      </div>
      <button
        class="quiet"
        aria-label=${texts.aboutChannel(name)}
        title=${texts.aboutChannel(name)}
        aria-haspopup="dialog"
        @click=${({ currentTarget }: Event) => void this.#about(channelId, currentTarget)}
      >
        ${icon('settings2')}
      </button>
      ${channel.is_archived && !isIn ? nothing : this.#toggleButton(channel)}
    </li>`
  }

  #toggleButton(channel: ChannelState): TemplateResult {
    const { name, subscription } = channel
    const isIn = subscription !== undefined
    return html`<button
      class="plain"
      aria-label=${isIn ? dialogTexts.leaveChannel(name) : dialogTexts.joinChannel(name)}
      @click=${({ currentTarget }: Event) => void this.#toggle(channel, currentTarget)}
    >
      ${isIn ? dialogTexts.leave : dialogTexts.join}
    </button>`
  }

  async #about(channelId: number, button: EventTarget | null): Promise<void> {
    const { session } = this
    if (session === undefined || !(button instanceof HTMLElement)) return
    try {
      await (await import('../channel-settings/index.js')).openChannel(button, session, channelId)
    } catch (error) {
      this.note = texts.failed(reasonOf(error))
    }
  }

  readonly #changed = ({ target }: Event): void => {
    if (target instanceof HTMLInputElement) this.words = target.value
  }

  async #toggle(channel: ChannelState, button: EventTarget | null): Promise<void> {
    const { name, subscription, invite_only } = channel
    const { api } = this.session?.client ?? {}
    if (api === undefined || !(button instanceof HTMLElement)) return
    const isLeaving = subscription !== undefined
    if (
      isLeaving &&
      invite_only &&
      !(await ask(button, dialogTexts.leaveQuestion(name), dialogTexts.leave))
    ) {
      return
    }
    await this.#run(async () => {
      if (isLeaving) await api.unsubscribe({ subscriptions: [name] })
      else await api.subscribe({ subscriptions: [{ name }] })
      return isLeaving ? dialogTexts.left(name) : dialogTexts.joined(name)
    })
  }

  readonly #create = (channel: NewChannel): void => {
    void this.#run(async () => {
      const { session } = this
      if (session === undefined) return ''
      const { id: channelId } = await session.client.api.createChannel({ ...channel })
      this.tell('parley-go', { place: { kind: 'channel', channelId } })
      return ''
    })
  }

  /** One action at a time. */
  async #run(action: () => Promise<string>): Promise<void> {
    if (this.#isBusy) return
    this.#isBusy = true
    try {
      this.note = await action()
    } catch (error) {
      this.note = texts.failed(reasonOf(error))
    } finally {
      this.#isBusy = false
    }
  }
}

define('parley-channels', ChannelBrowser)
