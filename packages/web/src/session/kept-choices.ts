import { keepText, keptText } from './kept-texts.js'

/** Whether the user has chosen this in this browser. */
export function isKept(name: string): boolean {
  return keptText(name) !== undefined
}

export function keep(name: string, isChosen: boolean): void {
  keepText(name, isChosen ? '1' : undefined)
}
