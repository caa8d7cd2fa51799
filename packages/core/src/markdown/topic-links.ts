import { findAddresses } from './inline/address-reader.js'
import { toHref } from './inline/link-target.js'
import type { CompiledLinkifiers } from './linkifiers.js'

/** A link found in a topic; both parts are plain text, not HTML. */
export interface TopicLink {
  readonly text: string
  readonly url: string
}

interface RankedLink extends TopicLink {
  readonly start: number
  readonly end: number
}

// Separators between addresses in a topic.
const separators = /[ !;),'"]/
const schemeOfAddress = /^(?:https?:\/\/|bitcoin:)/

/**
 * The links of a topic, sorted by position. Matches of linkifiers come before bare addresses and
 * earlier linkifiers before later ones; matches that overlap an earlier link are omitted.
 */
export function renderTopicLinks(
  topic: string,
  linkifiers: CompiledLinkifiers | undefined,
): TopicLink[] {
  const candidates = [...linkifierLinks(topic, linkifiers), ...addressLinks(topic)]
  const isTaken = new Uint8Array(topic.length)
  const taken: RankedLink[] = []
  for (const link of candidates) {
    if (isTaken.subarray(link.start, link.end).includes(1)) continue
    isTaken.fill(1, link.start, link.end)
    taken.push(link)
  }
  taken.sort((a, b) => a.start - b.start)
  return taken.map(({ text, url }) => ({ text, url }))
}

function* linkifierLinks(
  topic: string,
  linkifiers: CompiledLinkifiers | undefined,
): Generator<RankedLink> {
  if (linkifiers === undefined) return
  for (let position = 0; position < linkifiers.count; position += 1) {
    for (const match of linkifiers.findMatches(position, topic)) {
      const url = toHref(match.url)
      if (url !== undefined) yield { ...match, url }
    }
  }
}

function* addressLinks(topic: string): Generator<RankedLink> {
  let start = 0
  for (const piece of topic.split(separators)) {
    for (const address of findAddresses(piece)) {
      const text = piece.slice(address.start, address.end)
      const url = schemeOfAddress.test(text) ? text : `https://${text}`
      yield { text, url, start: start + address.start, end: start + address.end }
    }
    start += piece.length + 1
  }
}
