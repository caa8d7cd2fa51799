import type { Credentials } from '@parley/client'

export type Login = Extract<Credentials, { readonly type: 'apiKey' }>

/** The login that this browser keeps, by the address of the chat. */
const keyOf = (url: string): string => `parley-login ${url}`

export function loadLogin(url: string): Login | undefined {
  try {
    const saved: Partial<Login> = JSON.parse(localStorage.getItem(keyOf(url)) ?? '{}')
    const { email, apiKey } = saved
    if (typeof email !== 'string' || typeof apiKey !== 'string') return undefined
    return { type: 'apiKey', email, apiKey }
  } catch {
    return undefined
  }
}

export function saveLogin(url: string, login: Login | undefined): void {
  try {
    if (login === undefined) localStorage.removeItem(keyOf(url))
    else localStorage.setItem(keyOf(url), JSON.stringify(login))
  } catch {
    // The login lasts as long as the page.
  }
}

/** Forgets what the user has written and not sent, in a browser that another user may use next. */
export function forgetTexts(storages: readonly Storage[]): void {
  for (const storage of storages) {
    for (const key of Object.keys(storage)) {
      if (/^parley-(draft|topic|edit|outbox) /.test(key)) storage.removeItem(key)
    }
  }
}
