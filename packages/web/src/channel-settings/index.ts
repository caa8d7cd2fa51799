import { html, render } from 'lit'

// The same parts as the other dialogs: modules shared with the first view stay in one file.
import '../on-demand.js'
import type { Session } from '../session/session.js'
import { settingsStyle } from '../settings/settings-style.js'
import { useStyle } from '../style/use-style.js'
import { texts } from '../texts.js'
import { showDialog } from '../view/dialog.js'
import './channel-dialog.js'

/** Shows the settings of a channel; those that the user may change can be changed. */
export async function openChannel(
  opener: HTMLElement,
  session: Session,
  channelId: number,
): Promise<void> {
  const root = opener.getRootNode()
  if (root instanceof ShadowRoot) useStyle(root, settingsStyle)
  const dialog = document.createElement('dialog')
  render(
    html`<parley-channel .session=${session} .channelId=${channelId}></parley-channel>`,
    dialog,
  )
  const name = session.state.channels.get(channelId)?.name ?? ''
  await showDialog(dialog, opener, 'settings', texts.aboutChannel(name))
}
