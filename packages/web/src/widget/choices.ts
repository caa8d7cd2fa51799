import type { Message } from '@parley/client'

import { isRecord, listOf, parsed, textOf } from './submessage-json.js'

/** A reply that a bot offers. */
export interface Choice {
  readonly shortName: string
  readonly longName: string
  /** The text that is sent. */
  readonly reply: string
}

/** The replies that a message offers as buttons: a `zform` of the API. */
export interface Choices {
  readonly heading: string
  readonly choices: readonly Choice[]
}

/** More are not shown. */
const maxChoices = 100

/** @returns undefined if the message offers none. */
export function choicesOf({ submessages, sender_id }: Message): Choices | undefined {
  const [first] = submessages
  if (first === undefined || first.sender_id !== sender_id) return undefined
  const { widget_type, extra_data: data } = parsed(first.content)
  if (widget_type !== 'zform' || !isRecord(data) || data['type'] !== 'choices') return undefined
  const choices = listOf(data['choices'])
    .slice(0, maxChoices)
    .filter(isRecord)
    .map((choice) => ({
      shortName: textOf(choice['short_name']),
      longName: textOf(choice['long_name']),
      reply: textOf(choice['reply']),
    }))
  return { heading: textOf(data['heading']), choices }
}
