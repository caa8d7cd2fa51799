import type { Message } from '@parley/client'
import { css, type ReactiveController } from 'lit'

import { followState } from '../session/follow-state.js'
import { useStyle } from '../style/use-style.js'
import type { ParleyChat } from './parley-chat.js'

/** What may be before and after an alert word, as on the server. */
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

/** Marks the user's alert words in the messages that the server has found to have some. */
export class AlertWords implements ReactiveController {
  readonly #chat: ParleyChat
  #words: readonly string[] = []
  #observer: MutationObserver | undefined
  #stop: (() => void) | undefined

  constructor(chat: ParleyChat) {
    this.#chat = chat
    followState(chat, ({ me }) => me.alert_words)
  }

  hostUpdated(): void {
    const words = this.#chat.session?.state.me.alert_words ?? []
    if (words === this.#words) return
    this.hostDisconnected()
    this.#words = words
    const root = this.#chat.renderRoot
    for (const mark of root.querySelectorAll('.content mark')) unmark(mark)
    if (words.length === 0) return
    if (root instanceof ShadowRoot) useStyle(root, alertWordStyle)
    const lowered = words.map((word) => word.trim().toLowerCase()).filter((word) => word !== '')
    const look = (contents: Iterable<Element>): void => {
      for (const content of contents) this.#mark(content, lowered)
      // What has changed by that needs no other look.
      this.#observer?.takeRecords()
    }
    this.#observer = new MutationObserver((records) => look(contentsOf(records)))
    this.#observer.observe(root, { childList: true, subtree: true })
    const lookAtAll = (): void => look(root.querySelectorAll(contentSelector))
    // Messages may be shown before the state has them.
    this.#stop = this.#chat.session?.store.subscribe(({ messages }) => messages, lookAtAll)
    lookAtAll()
  }

  hostDisconnected(): void {
    this.#observer?.disconnect()
    this.#stop?.()
    this.#observer = this.#stop = undefined
    this.#words = []
  }

  #mark(content: Element, words: readonly string[]): void {
    const id = Number(content.closest<HTMLElement>('.message')?.dataset['id'])
    const message = this.#chat.session?.state.messages.get(id)
    if (message === undefined || !hasAlertWord(message)) return
    const walker = document.createTreeWalker(content, NodeFilter.SHOW_TEXT)
    const nodes: Text[] = []
    while (walker.nextNode()) {
      const { currentNode } = walker
      if (currentNode instanceof Text && isPlain(currentNode)) nodes.push(currentNode)
    }
    for (const node of nodes) markWords(node, words)
  }
}

/** Polls and lists of tasks render what is in them themselves. */
const contentSelector = '.message div.content'

function contentsOf(records: readonly MutationRecord[]): Set<Element> {
  const found = new Set<Element>()
  for (const { target, addedNodes } of records) {
    const content = target instanceof Element ? target.closest(contentSelector) : null
    if (content !== null) found.add(content)
    for (const node of addedNodes) {
      if (!(node instanceof Element)) continue
      for (const each of node.querySelectorAll(contentSelector)) found.add(each)
    }
  }
  return found
}

function hasAlertWord({ flags }: Message): boolean {
  return flags.includes('has_alert_word')
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

function unmark(mark: Element): void {
  const { parentNode } = mark
  mark.replaceWith(...mark.childNodes)
  parentNode?.normalize()
}
