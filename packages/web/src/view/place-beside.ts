/** In a window that is narrower than this, a dialog is at the bottom. */
const narrowPixels = 640
const gapPixels = 4
const edgePixels = 8

/** Puts a dialog that is open below or above its opener, within the window. */
export function placeBeside(dialog: HTMLDialogElement, opener: DOMRect): void {
  const { innerWidth, innerHeight } = window
  if (innerWidth < narrowPixels) return
  const { width, height } = dialog.getBoundingClientRect()
  const below = opener.bottom + gapPixels
  const isBelow = below + height <= innerHeight - edgePixels
  const top = isBelow ? below : opener.top - gapPixels - height
  const isAtStart = opener.left + opener.width / 2 < innerWidth / 2
  const left = isAtStart ? opener.left : opener.right - width
  const { style } = dialog
  style.margin = '0'
  style.inset = 'auto'
  style.top = `${within(top, innerHeight - height)}px`
  style.left = `${within(left, innerWidth - width)}px`
}

function within(position: number, end: number): number {
  return Math.max(edgePixels, Math.min(position, end - edgePixels))
}
