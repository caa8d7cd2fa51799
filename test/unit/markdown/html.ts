import { parseFragment, serialize } from 'parse5'
import type { DefaultTreeAdapterTypes } from 'parse5'

/**
 * `html` as a browser parses it, with sorted attributes, so that spellings of equal trees are
 * equal.
 */
export function normalizeHtml(html: string): string {
  const fragment = parseFragment(html)
  for (const element of elementsOf(fragment)) {
    element.attrs.sort((a, b) => (a.name < b.name ? -1 : 1))
  }
  return serialize(fragment)
}

/** All elements below `node`, in document order. */
export function* elementsOf(
  node: DefaultTreeAdapterTypes.ParentNode,
): Generator<DefaultTreeAdapterTypes.Element> {
  for (const child of node.childNodes) {
    if (!('tagName' in child)) continue
    yield child
    yield* elementsOf(child)
  }
}
