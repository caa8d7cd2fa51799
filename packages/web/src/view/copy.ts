import { dialogTexts } from '../dialog-texts.js'
import { tell } from './part-events.js'

/** Copies a text. @returns whether the browser allows that; pages without HTTPS have no clipboard. */
export async function isCopied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** Copies a text, or says that it cannot. @returns whether it is copied. */
export async function copyText(from: Element, text: string): Promise<boolean> {
  if (await isCopied(text)) return true
  tell(from, 'parley-problem', dialogTexts.notCopied)
  return false
}
