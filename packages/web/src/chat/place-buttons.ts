import { html, nothing, type TemplateResult } from 'lit'

import type { Place } from '../place.js'
import type { Session } from '../session/session.js'
import { texts } from '../texts.js'
import type { IconName } from '../view/icons.js'
import { quietButton } from '../view/quiet-button.js'
import { reasonOf } from '../view/reason.js'
import { tell } from '../view/part-events.js'

type Open = (opener: HTMLElement) => Promise<void>

/** The description of the channel of the shown conversation, beside its name. */
export function channelAbout(
  session: Session | undefined,
  place: Place | undefined,
): TemplateResult | typeof nothing {
  if (session === undefined || place === undefined || !('channelId' in place)) return nothing
  const description = session.state.channels.get(place.channelId)?.description ?? ''
  return description === ''
    ? nothing
    : html`<span class="hint about" dir="auto" title=${description}>${description}</span>`
}

/** The buttons for the conversation that is shown, beside its name. */
export function placeButtons(
  session: Session | undefined,
  place: Place | undefined,
  showTopics: (() => void) | undefined,
): TemplateResult | typeof nothing {
  if (session === undefined || place === undefined) return nothing
  const channelId = 'channelId' in place ? place.channelId : undefined
  const name = session.state.channels.get(channelId ?? -1)?.name
  const openChannel: Open = async (opener) => {
    if (channelId === undefined) return
    await (await import('../channel-settings/index.js')).openChannel(opener, session, channelId)
  }
  const openMenu: Open = async (opener) => {
    const { openPlaceMenu } = await import('../place-menu/place-menu.js')
    await openPlaceMenu(opener, session, place)
  }
  const isList = place.kind === 'mentions' || place.kind === 'starred' || place.kind === 'search'
  const isReader = session.isVisitor || !session.state.isRegistered
  const isUnknown = channelId !== undefined && name === undefined
  return html`${
    name === undefined || isReader
      ? nothing
      : button('settings2', texts.aboutChannel(name), openChannel)
  }
  ${isList || isReader || isUnknown ? nothing : button('ellipsis', texts.placeActions, openMenu)}
  ${
    channelId === undefined || showTopics === undefined
      ? nothing
      : html`<button class="plain" @click=${showTopics}>${texts.topics}</button>`
  }`
}

function button(picture: IconName, label: string, open: Open): TemplateResult {
  return quietButton(picture, label, async ({ currentTarget: opener }) => {
    if (!(opener instanceof HTMLElement)) return
    try {
      await open(opener)
    } catch (error) {
      tell(opener, 'parley-problem', texts.failed(reasonOf(error)))
    }
  })
}
