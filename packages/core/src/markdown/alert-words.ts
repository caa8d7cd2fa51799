import { isSpace } from './characters.js'

/** A word or phrase that alerts one user. */
export interface AlertWord {
  readonly userId: number
  readonly word: string
}

interface Node {
  readonly next: Map<string, Node>
  readonly userIds: number[]
}

const before = new Set(' \n(".,\';[*`>')
const after = new Set(" \n)?:.,';]!*`")

/** The alert words of all recipients, compiled once and searched in each message. */
export class AlertWordIndex {
  private readonly root: Node = { next: new Map(), userIds: [] }

  constructor(words: Iterable<AlertWord> = []) {
    for (const { userId, word } of words) this.add(userId, word)
  }

  /**
   * Adds the users with an alert word in `text` to `userIds`. Case is ignored; a word matches
   * between spaces or punctuation. Takes time linear in the text for words of bounded length.
   */
  collectUsers(text: string, userIds: Set<number>): void {
    if (this.root.next.size === 0) return
    const lowered = text.toLowerCase()
    for (let start = 0; start < lowered.length; start += 1) {
      if (start > 0 && !before.has(lowered[start - 1]!)) continue
      let node = this.root.next.get(lowered[start]!)
      for (let end = start + 1; node !== undefined; end += 1) {
        if (node.userIds.length > 0 && (end === lowered.length || after.has(lowered[end]!))) {
          for (const userId of node.userIds) userIds.add(userId)
        }
        node = end < lowered.length ? node.next.get(lowered[end]!) : undefined
      }
    }
  }

  add(userId: number, word: string): void {
    let node: Node | undefined = this.root
    for (const character of charactersOf(word)) {
      let next: Node | undefined = node.next.get(character)
      if (next === undefined) {
        next = { next: new Map(), userIds: [] }
        node.next.set(character, next)
      }
      node = next
    }
    if (node !== this.root) node.userIds.push(userId)
  }

  remove(userId: number, word: string): void {
    const path: { node: Node; character: string }[] = []
    let node: Node | undefined = this.root
    for (const character of charactersOf(word)) {
      path.push({ node, character })
      node = node.next.get(character)
      if (node === undefined) return
    }
    const index = node.userIds.indexOf(userId)
    if (index >= 0) node.userIds.splice(index, 1)
    // Nodes that no word needs any more would fill the memory.
    for (const { node: parent, character } of path.toReversed()) {
      const child = parent.next.get(character)
      if (child === undefined || child.userIds.length > 0 || child.next.size > 0) return
      parent.next.delete(character)
    }
  }
}

/** The characters to match; none for a word that matches nothing. */
function charactersOf(word: string): string[] {
  const lowered = word.trim().toLowerCase()
  // UTF-16 units, as texts are searched.
  return lowered === '' || isSpace(lowered.charCodeAt(0)) ? [] : lowered.split('')
}
