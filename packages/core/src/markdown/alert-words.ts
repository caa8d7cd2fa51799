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

  constructor(words: Iterable<AlertWord>) {
    for (const { userId, word } of words) this.add(userId, word.trim().toLowerCase())
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

  private add(userId: number, word: string): void {
    if (word === '' || isSpace(word.charCodeAt(0))) return
    let node = this.root
    for (let index = 0; index < word.length; index += 1) {
      const character = word[index]!
      let next = node.next.get(character)
      if (next === undefined) {
        next = { next: new Map(), userIds: [] }
        node.next.set(character, next)
      }
      node = next
    }
    node.userIds.push(userId)
  }
}
