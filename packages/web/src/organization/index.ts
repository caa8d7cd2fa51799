import { html, render } from 'lit'

// The same parts as the other dialogs: modules shared with the first view stay in one file.
import '../on-demand.js'
import type { Session } from '../session/session.js'
import { settingsStyle } from '../settings/settings-style.js'
import { useStyle } from '../style/use-style.js'
import { showDialog } from '../view/dialog.js'
import './organization-dialog.js'
import { organizationStyle } from './organization-style.js'
import { organizationTexts } from './organization-texts.js'
import './people-list.js'
import { peopleTexts } from './people-texts.js'

/** Lets the user change the settings of the whole organization, as far as they may. */
export async function openOrganization(opener: HTMLElement, session: Session): Promise<void> {
  addStyles(opener)
  const dialog = document.createElement('dialog')
  render(html`<parley-organization .session=${session}></parley-organization>`, dialog)
  await showDialog(dialog, opener, 'settings', organizationTexts.title)
}

/** Shows who is in the organization. */
export async function openPeople(opener: HTMLElement, session: Session): Promise<void> {
  addStyles(opener)
  const dialog = document.createElement('dialog')
  render(html`<parley-people .session=${session}></parley-people>`, dialog)
  // The card of a user, which is a dialog over this one, may lead to a conversation.
  const root = opener.getRootNode()
  const close = (): void => dialog.close()
  root.addEventListener('parley-go', close)
  await showDialog(dialog, opener, 'sheet', peopleTexts.title)
  root.removeEventListener('parley-go', close)
}

function addStyles(opener: HTMLElement): void {
  const root = opener.getRootNode()
  if (!(root instanceof ShadowRoot)) return
  useStyle(root, settingsStyle)
  useStyle(root, organizationStyle)
}
