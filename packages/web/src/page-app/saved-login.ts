import type { Credentials } from '@parley/client'

import { keepText, keptKeys, keptText } from '../session/kept-texts.js'

export type Login = Extract<Credentials, { readonly type: 'apiKey' }>

/** The login that this browser keeps, by the address of the chat. */
const keyOf = (url: string): string => `parley-login ${url}`

export function loadLogin(url: string): Login | undefined {
  try {
    const saved: Partial<Login> = JSON.parse(keptText(keyOf(url)) ?? '{}')
    const { email, apiKey } = saved
    if (typeof email !== 'string' || typeof apiKey !== 'string') return undefined
    return { type: 'apiKey', email, apiKey }
  } catch {
    return undefined
  }
}

export function saveLogin(url: string, login: Login | undefined): void {
  keepText(keyOf(url), login && JSON.stringify(login))
}

/** Forgets the user's texts that are not sent, in a browser that another user may use next. */
export function forgetTexts(kinds: Parameters<typeof keptKeys>[0][]): void {
  for (const kind of kinds) {
    for (const key of keptKeys(kind)) {
      if (/^parley-(draft|topic|edit|outbox) /.test(key)) keepText(key, undefined, kind)
    }
  }
}
