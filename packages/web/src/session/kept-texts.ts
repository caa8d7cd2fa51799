/** Where a browser keeps texts: for all its tabs, or for one of them. */
type Kind = 'localStorage' | 'sessionStorage'

/** A text that the browser keeps for this page. */
export function keptText(key: string, kind: Kind = 'localStorage'): string | undefined {
  try {
    return window[kind].getItem(key) ?? undefined
  } catch {
    // It keeps nothing.
    return undefined
  }
}

/** @param text undefined to keep it no longer. */
export function keepText(key: string, text: string | undefined, kind: Kind = 'localStorage'): void {
  try {
    if (text === undefined) window[kind].removeItem(key)
    else window[kind].setItem(key, text)
  } catch {
    // It keeps nothing, or has no space left: the text lasts as long as the page.
  }
}

export function keptKeys(kind: Kind = 'localStorage'): string[] {
  try {
    return Object.keys(window[kind])
  } catch {
    return []
  }
}
