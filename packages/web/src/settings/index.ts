import { html, render } from 'lit'

// The same parts as the other dialogs: modules shared with the first view stay in one file.
import '../on-demand.js'
import type { Session } from '../session/session.js'
import { useStyle } from '../style/use-style.js'
import { showDialog } from '../view/dialog.js'
import './settings-dialog.js'
import { settingsStyle } from './settings-style.js'
import { settingsTexts } from './settings-texts.js'

export { scheduleText } from './schedule.js'

/**
 * Lets the user change their own settings. Changes are saved at once or by a button.
 *
 * @returns a text to insert into the message that the user is writing, or ''.
 */
export async function openSettings(opener: HTMLElement, session: Session): Promise<string> {
  const root = opener.getRootNode()
  if (root instanceof ShadowRoot) useStyle(root, settingsStyle)
  const dialog = document.createElement('dialog')
  render(html`<parley-settings .session=${session}></parley-settings>`, dialog)
  return showDialog(dialog, opener, 'settings', settingsTexts.title)
}
