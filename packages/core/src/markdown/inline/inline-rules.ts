import { replaceAudio } from './audio.js'
import { replaceBareAddresses } from './bare-address.js'
import { replaceChannelLinks } from './channel-link.js'
import { replaceCodeSpans } from './code-span.js'
import { replaceEmojiNames } from './emoji-name.js'
import { replaceEmoticons } from './emoticon.js'
import { replaceEmphasis, replaceStrike, replaceStrong, replaceStrongEmphasis } from './emphasis.js'
import type { ApplyInlineRule, Fragment, InlineScope } from './inline-scope.js'
import { replaceLinkifiers } from './linkifier.js'
import { replaceLinks } from './link.js'
import { replaceLoneMarks } from './lone-mark.js'
import { replaceMathSpans } from './math-span.js'
import { replaceGroupMentions, replaceUserMentions } from './mention.js'
import { toFragment } from './text-html.js'
import { replaceTimes } from './time.js'
import { plainTokenText, type TokenText } from './token-text.js'

interface InlineRule {
  /** Bits of {@link triggerBits}; the rule runs if the text has one of them. */
  readonly triggers: number
  readonly apply: ApplyInlineRule
}

const triggerCharacters = '`*_~@#$<[!.:;('
const always = 1 << triggerCharacters.length

const triggerBits = new Int32Array(128)
for (const [position, character] of [...triggerCharacters].entries()) {
  triggerBits[character.charCodeAt(0)] = 1 << position
}

/**
 * The inline rules in their order. Each runs over the whole text before the next begins, which
 * defines the precedence of the dialect: code over mentions, mentions over links, links over
 * emphasis. Hard breaks, character references and Unicode emoji come last, on output.
 */
const rules: readonly InlineRule[] = [
  rule('`', replaceCodeSpans),
  rule('*', replaceStrongEmphasis),
  rule('@', replaceUserMentions),
  rule('$', replaceMathSpans),
  rule('#', replaceChannelLinks),
  rule('<', replaceTimes),
  rule('@', replaceGroupMentions),
  rule('[', replaceLinks),
  rule('!', replaceAudio),
  rule('.:@', replaceBareAddresses),
  { triggers: always, apply: replaceLinkifiers },
  rule('*', replaceStrong),
  rule('*', replaceEmphasis),
  rule('~', replaceStrike),
  rule('*_', replaceLoneMarks),
  rule(':', replaceEmojiNames),
  rule(':(<;', replaceEmoticons),
]

/** Renders `source` with all inline rules. */
export function renderInline(source: string, scope: InlineScope): Fragment {
  scope.budget.spend(source.length)
  return applyFrom(0, plainTokenText(source), scope)
}

function applyFrom(first: number, source: TokenText, scope: InlineScope): Fragment {
  const triggers = findTriggers(source.text)
  let current = source
  for (let index = first; index < rules.length; index += 1) {
    const { triggers: ruleTriggers, apply } = rules[index]!
    if ((triggers & ruleTriggers) === 0) continue
    current = apply(current, scope, (content) => applyFrom(index + 1, content, scope))
  }
  return toFragment(current)
}

function findTriggers(text: string): number {
  let triggers = always
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code < 128) triggers |= triggerBits[code]!
  }
  return triggers
}

function rule(characters: string, apply: ApplyInlineRule): InlineRule {
  let triggers = 0
  for (const character of characters) triggers |= 1 << triggerCharacters.indexOf(character)
  return { triggers, apply }
}
