/** Whether the user has chosen this in this browser. */
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
