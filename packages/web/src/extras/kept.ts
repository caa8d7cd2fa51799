import type { Session } from '../session/session.js'

/** What a user has chosen in this browser. */
export function isKept(name: string): boolean {
  try {
    return localStorage.getItem(name) !== null
  } catch {
    // The browser keeps nothing for this page.
    return false
  }
}

export function keep(name: string, isChosen: boolean): void {
  try {
    if (isChosen) localStorage.setItem(name, '1')
    else localStorage.removeItem(name)
  } catch {
    // It lasts as long as nobody asks again.
  }
}

/** Whether the user wants notifications. */
export function noticesKey({ url, state }: Session): string {
  return `parley-notify ${url} ${state.me.user_id}`
}

/** Whether the user wants no single keys as shortcuts. */
export const withoutKeysKey = 'parley-without-keys'
