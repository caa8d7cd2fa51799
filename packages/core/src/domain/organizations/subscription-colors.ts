import { present } from '../../kernel/present.js'

/** The colors of new subscriptions, in the order in which they are assigned. */
export const subscriptionPalette = [
  '#76ce90',
  '#fae589',
  '#a6c7e5',
  '#e79ab5',
  '#bfd56f',
  '#f4ae55',
  '#b0a5fd',
  '#addfe5',
  '#f5ce6e',
  '#c2726a',
  '#94c849',
  '#bd86e5',
  '#ee7e4a',
  '#a6dcbf',
  '#95a5fd',
  '#53a063',
  '#9987e1',
  '#e4523d',
  '#c2c2c2',
  '#4f8de4',
  '#c6a8ad',
  '#e7cc4d',
  '#c8bebf',
  '#a47462',
] as const

/** A color for a new subscription: one that the user has not used yet, while there are any. */
export function subscriptionColor(
  recipientId: number,
  used: ReadonlySet<string> = new Set(),
): string {
  return (
    subscriptionPalette.find((color) => !used.has(color)) ??
    present(subscriptionPalette[recipientId % subscriptionPalette.length], 'a color')
  )
}
