/** A text that is longer than this may be on several lines. */
const maxWidth = '14em'

/** Keeps words of a cell beside each other in a table that scrolls, so that its rows are not high. */
export function widenCells(element: Element): void {
  for (const cell of element.querySelectorAll<HTMLElement>('th, td')) {
    cell.style.minWidth = `min(${maxWidth}, ${cell.textContent.length}ch)`
  }
}
