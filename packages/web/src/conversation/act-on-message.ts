import type { Message } from '@parley/client'

import { hashOf } from '../place.js'
import type { Session } from '../session/session.js'
import { texts } from '../texts.js'
import { dialogTexts } from '../dialog-texts.js'
import { ask } from '../view/ask.js'
import { copyText } from '../view/copy.js'
import type { ActionView } from './message-actions.js'
import { showHistory } from './message-dialogs.js'
import { actInMenu } from './message-menu.js'

/** Does the action of a message's button. */
export async function actOnMessage(
  view: ActionView,
  button: HTMLElement,
  message: Message,
  session: Session,
): Promise<void> {
  switch (button.dataset['action']) {
    case 'toggle':
      await toggle(button, message, session)
      return
    case 'reveal':
      view.revealed.add(message.id)
      view.requestUpdate()
      view.focusRow(message.id)
      return
    case 'react': {
      const { pickEmoji } = await import('../emoji/picker.js')
      const emoji = await pickEmoji(button, session)
      returnTo(button, message, view)
      if (emoji === undefined) return
      await session.client.api.addReaction({ message_id: message.id, ...emoji })
      return
    }
    case 'user': {
      const { showUser } = await import('../people/user-card.js')
      await showUser(button, session, message.sender_id)
      return
    }
    case 'picture': {
      const { showPictures } = await import('../pictures/show-pictures.js')
      await showPictures(button, message.id, view.messages, session)
      return
    }
    case 'edit':
      view.editingId = message.id
      return
    case 'copy': {
      const link = hashOf({ place: session.placeOf(message), near: message.id })
      await copyText(button, new URL(link, document.location.href).href)
      return
    }
    case 'remove': {
      const isSure = await ask(button, dialogTexts.removeQuestion, texts.remove)
      if (!isSure) {
        returnTo(button, message, view)
        return
      }
      focusNeighbor(message.id, view)
      await session.client.api.deleteMessage({ message_id: message.id })
      return
    }
    case 'history':
    case 'more': {
      let hasLeft = false
      try {
        if (button.dataset['action'] === 'history') {
          await showHistory(view, message, session)
        } else hasLeft = await actInMenu(view, button, message, session)
      } finally {
        if (!hasLeft) returnTo(button, message, view)
      }
    }
    // No default
  }
}

/** The opener of a dialog may be gone: the buttons of a message are there while it is active. */
function returnTo(button: HTMLElement, { id }: Message, view: ActionView): void {
  if (!button.isConnected) view.focusRow(id)
}

async function toggle({ dataset }: HTMLElement, message: Message, session: Session): Promise<void> {
  const { name = '', code = '', type = '' } = dataset
  const reaction = {
    message_id: message.id,
    emoji_name: name,
    emoji_code: code,
    reaction_type: type,
  }
  const isOwn = message.reactions.some(
    ({ user_id, emoji_code, reaction_type }) =>
      user_id === session.state.me.user_id && emoji_code === code && reaction_type === type,
  )
  if (isOwn) await session.client.api.removeReaction(reaction)
  else await session.client.api.addReaction(reaction)
}

/** A message that is deleted does not take the focus with it. */
function focusNeighbor(id: number, view: ActionView): void {
  const { messages } = view
  const index = messages.findIndex((message) => message.id === id)
  const neighbour = messages[index + 1] ?? messages[index - 1]
  if (neighbour !== undefined) view.focusRow(neighbour.id)
}
