import { ChatClient } from '@parley/client'

import { dialogTexts } from '../dialog-texts.js'
import { texts } from '../texts.js'
import { chooseAction } from '../view/menu.js'
import type { Login } from './saved-login.js'

/** Asks where the user wants to be logged out: a user's devices share one API key. */
export async function chooseLogout(opener: HTMLElement): Promise<string> {
  return chooseAction(opener, texts.logout, [
    { value: 'here', label: dialogTexts.logoutHere },
    { value: 'everywhere', label: dialogTexts.logoutEverywhere },
  ])
}

/** Makes the key of a login invalid. */
export async function endKey(url: string, credentials: Login): Promise<void> {
  await new ChatClient({ url, credentials }).api.regenerateOwnApiKey()
}
