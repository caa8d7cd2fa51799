import type { Message } from '@parley/client'

import { dialogTexts } from '../dialog-texts.js'
import type { Session } from '../session/session.js'
import { icon } from '../view/icons.js'
import { menuIcon } from '../view/menu-icons.js'
import { chooseAction, type MenuItem } from '../view/menu.js'
import { texts } from '../texts.js'
import { markUnreadFrom, showReaders, toggleStar } from './message-dialogs.js'
import type { ActionView } from './message-actions.js'
import { mayReport, movesOf } from './message-rights.js'
import { moveMessage, moveTitle } from './move-dialog.js'
import { pageActionsOf, pageActionValue, tellPage } from './page-actions.js'
import { quote } from './quote.js'
import { tell } from '../view/part-events.js'

/**
 * Lets the user choose from the less usual actions for a message, and does it.
 *
 * @returns whether another place is shown now.
 */
export async function actInMenu(
  view: ActionView,
  opener: HTMLElement,
  message: Message,
  session: Session,
): Promise<boolean> {
  const name = await chooseAction(opener, texts.actions, itemsFor(view, message, session))
  const action = pageActionsOf(view).find((each) => name === pageActionValue(each))
  if (action !== undefined) tellPage(view, { name: action.name, message })
  switch (name) {
    case 'quote':
      await quote(view, message, session)
      return true
    case 'readers':
      await showReaders(view, message, session)
      return false
    case 'star':
      await toggleStar(message, session)
      return false
    case 'unread':
      view.keepUnread()
      await markUnreadFrom(message, session)
      return false
    case 'remind':
      await (await import('./remind.js')).remind(view, message, session)
      return false
    case 'report':
      await (await import('./report.js')).report(view, message, session)
      return false
    case 'move':
      return move(view, message, session)
  }
  return false
}

function itemsFor(view: ActionView, message: Message, session: Session): readonly MenuItem[] {
  const moves = movesOf(message, session.state)
  const isStarred = message.flags.includes('starred')
  const hasReceipts = session.state.organization.realm_enable_read_receipts === true
  const items: (MenuItem | undefined)[] = [
    { value: 'quote', label: dialogTexts.quote, picture: menuIcon('quote') },
    {
      value: 'star',
      label: isStarred ? dialogTexts.unstar : dialogTexts.star,
      picture: icon('star'),
    },
    { value: 'remind', label: dialogTexts.remind, picture: menuIcon('alarmClock') },
    { value: 'unread', label: dialogTexts.markUnread, picture: menuIcon('mail') },
    hasReceipts
      ? { value: 'readers', label: dialogTexts.readers, picture: menuIcon('eye') }
      : undefined,
    moves === undefined
      ? undefined
      : { value: 'move', label: moveTitle(moves), picture: menuIcon('arrowRight') },
    mayReport(message, session.state)
      ? { value: 'report', label: dialogTexts.report, picture: menuIcon('flag') }
      : undefined,
    ...pageActionsOf(view).map((action) => ({
      value: pageActionValue(action),
      label: action.label,
    })),
  ]
  return items.filter((item) => item !== undefined)
}

async function move(view: ActionView, message: Message, session: Session): Promise<boolean> {
  const place = await moveMessage(view, message, session)
  if (place === undefined || view.place?.kind !== 'topic') return false
  tell(view, 'parley-go', { place, near: message.id })
  return true
}
