import { css } from 'lit'

import { useStyle } from '../style/use-style.js'

/** The characters that may be before and after an alert word, as on the server. */
const before = ' \n(".,\';[*`>'
const after = " \n)?:.,';]!*`"

const alertWordStyle = css`
  .content mark {
    border-radius: 3px;
    background: var(--own-mention-background);
    color: var(--text);
    font-weight: 600;
  }
`

/** Marks the user's alert words in a message that the server has found to have some. */
export function markAlertWords(content: Element, words: readonly string[]): void {
  const lowered = words.map((word) => word.trim().toLowerCase()).filter((word) => word !== '')
  if (lowered.length === 0) return
  const root = content.getRootNode()
  if (root instanceof ShadowRoot) useStyle(root, alertWordStyle)
  const walker = document.createTreeWalker(content, NodeFilter.SHOW_TEXT)
  const nodes: Text[] = []
  while (walker.nextNode()) {
    const { currentNode } = walker
    if (currentNode instanceof Text && isPlain(currentNode)) nodes.push(currentNode)
  }
  for (const node of nodes) markWords(node, lowered)
}

function isPlain({ parentElement }: Text): boolean {
  return parentElement?.closest('.katex, mark') === null
}

/** Puts marks around the words in a text. */
function markWords(node: Text, words: readonly string[]): void {
  const text = node.data.toLowerCase()
  // Some letters have another length in lower case.
  if (text.length !== node.data.length) return
  const places = placesOf(text, words)
  let rest = node
  let start = 0
  for (const [from, to] of places) {
    const found = rest.splitText(from - start)
    rest = found.splitText(to - from)
    start = to
    const mark = document.createElement('mark')
    found.replaceWith(mark)
    mark.append(found)
  }
}

/** Where the words are in a text, in order and without an overlap. */
function placesOf(text: string, words: readonly string[]): (readonly [number, number])[] {
  const all: (readonly [number, number])[] = []
  for (const word of words) {
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
      const end = at + word.length
      const begins = at === 0 || before.includes(text.charAt(at - 1))
      const ends = end === text.length || after.includes(text.charAt(end))
      if (begins && ends) all.push([at, end])
    }
  }
  all.sort(([from, to], [otherFrom, otherTo]) => from - otherFrom || otherTo - to)
  let last = 0
  return all.filter(([from, to]) => {
    if (from < last) return false
    last = to
    return true
  })
}
