import assert from 'node:assert/strict'

import type { Client } from '../support/client.js'
import type { TestHost } from '../support/host.js'
import { until } from '../support/waiting.js'

export type Change =
  | { readonly kind: 'send'; readonly topic: string; readonly text: string }
  | { readonly kind: 'edit'; readonly index: number; readonly text: string }
  | {
      readonly kind: 'move'
      readonly index: number
      readonly topic: string
      readonly isWhole: boolean
    }
  | { readonly kind: 'delete'; readonly index: number }
  | { readonly kind: 'index' }

/** A search: words, then a quoted phrase, then perhaps the beginning of a word. */
export interface Search {
  readonly words: readonly string[]
  readonly phrase: string | undefined
  readonly last: string | undefined
  readonly isNegated: boolean
}

interface Message {
  readonly id: number
  topic: string
  text: string
}

const stopWords = new Set(['the', 'and', 'an'])
const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}\p{M}]+$/u

/** An organization with messages, and a naive reader who knows which words have the same stem. */
export class SearchedOrganization {
  readonly #messages: Message[] = []
  readonly #stems: ReadonlyMap<string, string>

  private constructor(
    private readonly host: TestHost,
    private readonly owner: Client,
    private readonly channelId: number,
    families: readonly (readonly [string, ...string[]])[],
  ) {
    this.#stems = new Map(families.flatMap((forms) => forms.map((form) => [form, forms[0]])))
  }

  static async create(
    host: TestHost,
    families: readonly (readonly [string, ...string[]])[],
  ): Promise<SearchedOrganization> {
    const { people, channels } = await host.organization()
    return new SearchedOrganization(host, people.olga, channels.general, families)
  }

  async apply(change: Change): Promise<void> {
    if (change.kind === 'send') {
      const { topic, text } = change
      const id = await this.owner.say(this.channelId, topic, text)
      this.#messages.push({ id, topic, text })
    } else if (change.kind === 'index') {
      this.host.clock.fire(1)
      await until('all messages to be indexed', async () => {
        const { searchIndex } = await this.host.chat.health()
        return searchIndex?.pendingMessages === 0
      })
    } else {
      const message = this.#messages[change.index % this.#messages.length]
      if (message !== undefined) await this.#change(message, change)
    }
  }

  async #change(
    message: Message,
    change: Exclude<Change, { kind: 'send' | 'index' }>,
  ): Promise<void> {
    const path = `/messages/${message.id}`
    if (change.kind === 'delete') {
      this.#requireDone(await this.owner.delete(path))
      this.#messages.splice(this.#messages.indexOf(message), 1)
    } else if (change.kind === 'edit') {
      if (message.text === change.text) return
      this.#requireDone(await this.owner.patch(path, { content: change.text }))
      message.text = change.text
    } else {
      const { topic, isWhole } = change
      if (message.topic === topic) return
      const moved = isWhole
        ? this.#messages.filter((other) => other.topic === message.topic)
        : [message]
      const answer = await this.owner.patch(path, {
        topic,
        propagate_mode: isWhole ? 'change_all' : 'change_one',
        send_notification_to_old_thread: false,
        send_notification_to_new_thread: false,
      })
      this.#requireDone(answer)
      for (const one of moved) one.topic = topic
    }
  }

  #requireDone({ status, text }: { status: number; text: string }): void {
    assert.equal(status, 200, text)
  }

  /** The ids that the server finds, and those that it should find. */
  async search(search: Search): Promise<{ found: number[]; expected: number[] }> {
    const { words, phrase, last, isNegated } = search
    const quoted = phrase === undefined ? [] : [`"${phrase}"`]
    const operand = [...words, ...quoted, ...(last === undefined ? [] : [last])].join(' ')
    if (operand === '') return { found: [], expected: [] }
    const found = await this.owner.get('/messages', {
      anchor: 'newest',
      num_before: 1000,
      narrow: [
        { operator: 'sender', operand: this.owner.id },
        { operator: 'search', operand, negated: isNegated },
      ],
    })
    assert.equal(found.status, 200, found.text)
    const matching = this.#messages.filter((one) => this.#matches(one, search) !== isNegated)
    return {
      found: (found.body.messages as { id: number }[]).map(({ id }) => id),
      expected: matching.map(({ id }) => id),
    }
  }

  #matches(message: Message, { words, phrase, last }: Search): boolean {
    const texts = [message.text.toLowerCase(), message.topic]
    const complete = [...words, ...(phrase?.split(' ') ?? [])]
    const ending = last ?? (phrase === undefined ? complete.pop() : undefined)
    const wanted = complete.filter((word) => !stopWords.has(word))
    const end = ending === undefined || stopWords.has(ending) ? undefined : ending
    if (wanted.length === 0 && end === undefined) return false
    return (
      wanted.every((word) => this.#hasWord(texts, word)) &&
      (end === undefined || this.#hasWord(texts, end) || hasBeginning(texts, end)) &&
      (phrase === undefined || texts.some((text) => text.includes(phrase)))
    )
  }

  #hasWord(texts: readonly string[], word: string): boolean {
    if (unspaced.test(word))
      return texts.some((text) => pairsOf(word).every((pair) => text.includes(pair)))
    const stem = this.#stems.get(word) ?? word
    return wordsOf(texts).some((one) => one === word || this.#stems.get(one) === stem)
  }
}

function hasBeginning(texts: readonly string[], last: string): boolean {
  if (unspaced.test(last)) return false
  const beginning = withoutAccents(last)
  if ([...beginning].length < (/^[a-z\d]+$/.test(beginning) ? 3 : 2)) return false
  return wordsOf(texts).some(
    (word) => !stopWords.has(word) && withoutAccents(word).startsWith(beginning),
  )
}

function withoutAccents(word: string): string {
  return word.replaceAll('å', 'a').replaceAll('é', 'e').replaceAll('ё', 'е')
}

function wordsOf(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.split(' '))
}

/** Each pair of adjacent letters, with their marks; of a single letter itself. */
function pairsOf(word: string): string[] {
  const letters = word.match(/\P{M}\p{M}*/gu) ?? []
  return letters.length < 2
    ? letters
    : letters.slice(1).map((letter, index) => `${letters[index]}${letter}`)
}
