import { html, nothing, svg, type TemplateResult } from 'lit'

import type { Composer } from '../composer/composer.js'
import { addToDraft } from '../composer/drafts.js'
import { placeKey } from '../place.js'
import { followState } from '../session/follow-state.js'
import type { Session } from '../session/session.js'
import { texts } from '../texts.js'
import { picture } from '../view/icons.js'
import { placeName } from '../view/place-name.js'
import { reasonOf } from '../view/reason.js'
import { define, View } from '../view/view.js'
import { callTexts } from './call-texts.js'

/*! Icons of Lucide (https://lucide.dev). ISC License, Copyright (c) Lucide Icons and Contributors. */
const videoIcon = picture(
  svg`<path d="m16 13 5.223 3.482a.5.5 0 0 0 .777-.416V7.87a.5.5 0 0 0-.752-.432L16 10.5"/><rect x="2" y="6" width="14" height="12" rx="2"/>`,
)

const jitsi = 1
const bigBlueButton = 4
/** Limit of BigBlueButton. */
const maxName = 256
/** The name of a call is random: who knows it can join. */
const randomBytes = 16

/** Adds the link of a new video call to the message; nothing if the organization has no calls. */
class CallButton extends View {
  #isAsking = false

  constructor() {
    super()
    followState(this, ({ organization }) => organization)
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session } = this
    if (session === undefined || !hasCalls(session)) return nothing
    return html`<button
      class="quiet"
      type="button"
      aria-label=${callTexts.add}
      title=${callTexts.add}
      @click=${() => void this.#add(session)}
    >
      ${videoIcon}
    </button>`
  }

  async #add(session: Session): Promise<void> {
    const composer = this.closest<Composer>('parley-composer')
    // A second click waits for nothing.
    if (composer === null || this.#isAsking) return
    this.#isAsking = true
    const { place } = composer
    try {
      const link = `[${callTexts.join}](${await newCall(session, placeName(place, session))})`
      // A call belongs to the conversation that was shown when it was asked for.
      if (!composer.isConnected || placeKey(composer.place) !== placeKey(place)) {
        addToDraft(session, place, link)
        return
      }
      composer.insert(link)
      composer.focus()
    } catch (error) {
      this.tell('parley-problem', texts.failed(reasonOf(error)))
    } finally {
      this.#isAsking = false
    }
  }
}

function jitsiServer({ state }: Session): string | undefined {
  const { realm_jitsi_server_url, server_jitsi_server_url } = state.organization
  return realm_jitsi_server_url ?? server_jitsi_server_url ?? undefined
}

function hasCalls(session: Session): boolean {
  const { realm_video_chat_provider: provider } = session.state.organization
  return provider === jitsi ? jitsiServer(session) !== undefined : provider === bigBlueButton
}

/** @returns the URL of a call. */
async function newCall(session: Session, place: string): Promise<string> {
  const server = jitsiServer(session)
  if (session.state.organization.realm_video_chat_provider === jitsi && server !== undefined) {
    const bytes = crypto.getRandomValues(new Uint8Array(randomBytes))
    const name = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
    return `${server.replace(/\/+$/, '')}/${name}`
  }
  const meeting_name = callTexts.meeting(place).slice(0, maxName)
  return (await session.client.api.createBigBlueButtonVideoCall({ meeting_name })).url
}

define('parley-call', CallButton)
