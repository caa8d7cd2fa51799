import type { NarrowTerm } from '../api.js'
import type { LiveState } from './reducer.js'
import { isFollowed } from './message-source.js'
import { directKey, foldTopic, resolvedPrefix, type Message } from './state.js'
import { participants } from './unread.js'

interface Term {
  readonly operator: string
  readonly operand: string | number | readonly number[]
  readonly negated: boolean
}

/** Undefined if only the server can tell. */
type Verdict = boolean | undefined

/** The operators about the conversation and the sender; their results change with moves only. */
const placeOperators: ReadonlySet<string> = new Set([
  'channel',
  'stream',
  'topic',
  'subject',
  'dm',
  'pm-with',
  'dm-including',
  'sender',
])

function termOf(term: NarrowTerm): Term {
  if (!('operator' in term)) {
    const [operator = '', operand = ''] = term
    return { operator, operand, negated: false }
  }
  const { operator, operand, negated = false } = term
  return { operator, operand, negated }
}

function idsOf(operand: Term['operand']): readonly number[] | undefined {
  const ids = typeof operand === 'object' ? operand : String(operand).split(',').map(Number)
  return ids.every((id) => Number.isInteger(id)) ? ids : undefined
}

function inChannel(operand: Term['operand'], message: Message, state: LiveState): Verdict {
  if (message.stream_id === undefined) return false
  if (idsOf(operand)?.[0] === message.stream_id) return true
  if (typeof operand !== 'string') return false
  const name = state.channels.get(message.stream_id)?.name
  return name?.toLowerCase() === operand.toLowerCase()
}

function is(operand: Term['operand'], { type, flags, subject }: Message): Verdict {
  switch (operand) {
    case 'dm':
    case 'private':
      return type === 'private'
    case 'starred':
      return flags.includes('starred')
    case 'unread':
      return !flags.includes('read')
    case 'mentioned':
      return flags.some((flag) => flag.endsWith('mentioned'))
    case 'alerted':
      return flags.includes('has_alert_word')
    case 'resolved':
      return type === 'stream' && subject.startsWith(resolvedPrefix)
    default:
      return undefined
  }
}

function verdictOf(term: Term, message: Message, state: LiveState): Verdict {
  const { operator, operand } = term
  const own = state.me.user_id
  const ids = idsOf(operand)
  switch (operator) {
    case 'channel':
    case 'stream':
      return inChannel(operand, message, state)
    case 'topic':
    case 'subject':
      return message.type === 'stream' && foldTopic(message.subject) === foldTopic(String(operand))
    case 'dm':
    case 'pm-with':
      if (message.type !== 'private') return false
      return ids && directKey(ids, own) === directKey(participants(message.display_recipient), own)
    case 'dm-including': {
      if (message.type !== 'private') return false
      const members = participants(message.display_recipient)
      return ids?.every((id) => members.includes(id))
    }
    case 'sender':
      return ids && ids[0] === message.sender_id
    case 'is':
      return is(operand, message)
    case 'near':
      return true
    default:
      return undefined
  }
}

/** A filter of messages, as far as the client can apply it itself. */
export class Narrow {
  readonly #terms: readonly Term[]

  constructor(readonly terms: readonly NarrowTerm[]) {
    this.#terms = terms.map(termOf)
  }

  matches(message: Message, state: LiveState): Verdict {
    // Of messages that users did not receive, only the server knows which are in their history.
    if (!this.isOfChannel && message.flags.includes('historical')) return undefined
    return this.#decide(this.#terms, message, state)
  }

  /**
   * False if the message was moved elsewhere. A message that was read, for example, stays.
   *
   * @param former the message before the last events.
   */
  keeps(message: Message, former: Message, state: LiveState): boolean {
    const isMoved = message.stream_id !== former.stream_id
    if (!this.isOfChannel && isMoved && !isFollowed(message, state)) return false
    const terms = this.#terms.filter(({ operator }) => placeOperators.has(operator))
    return this.#decide(terms, message, state) !== false
  }

  /** Whether it has all messages of a channel; otherwise only those that the user has received. */
  get isOfChannel(): boolean {
    return this.#terms.some(
      ({ operator, negated }) => !negated && (operator === 'channel' || operator === 'stream'),
    )
  }

  /** Whether it contains messages because they have this flag. */
  isAboutFlag(flag: string): boolean {
    return this.#terms.some(({ operator, operand }) => operator === 'is' && operand === flag)
  }

  /** Whether it names one of these channels. */
  isAbout(channels: readonly { readonly stream_id: number; readonly name: string }[]): boolean {
    return this.#terms.some(
      ({ operator, operand }) =>
        (operator === 'channel' || operator === 'stream') &&
        channels.some(({ stream_id, name }) => [String(stream_id), name].includes(String(operand))),
    )
  }

  #decide(terms: readonly Term[], message: Message, state: LiveState): Verdict {
    let isCertain = true
    for (const term of terms) {
      const verdict = verdictOf(term, message, state)
      if (verdict === term.negated) return false
      isCertain &&= verdict !== undefined
    }
    return isCertain ? true : undefined
  }
}
