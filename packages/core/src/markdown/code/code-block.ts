import type { CodeToken } from '../context.js'
import { escapeAttribute, escapeCode } from '../html.js'
import type { InlineScope } from '../inline/inline-scope.js'
import { guessLanguage } from './guess-language.js'
import { lexerNameOf } from './lexer-names.js'
import { isTokenClass } from './token-classes.js'

/** Operations counted per character of highlighted code. */
const operationsPerCharacter = 20

/**
 * HTML of a block of code. `language` is the language as typed or the organization's default, if
 * any.
 */
export function codeBlockHtml(
  lines: readonly string[],
  language: string | undefined,
  { context, budget }: InlineScope,
): string {
  const code = toCode(lines)
  const highlightLanguage = language ?? guessLanguage(code)
  let tokens: readonly CodeToken[] | undefined
  const { highlight } = context
  if (highlightLanguage !== undefined && highlight !== undefined && budget.mayColor(code.length)) {
    budget.spend(code.length * operationsPerCharacter)
    budget.checkTime()
    tokens = highlight(code, highlightLanguage)
  }
  const escape = language === undefined ? escapeWithQuotes : escapeCode
  const content = tokens === undefined ? escape(code) : tokensHtml(tokens, escape)
  const attribute =
    language === undefined
      ? ''
      : ` data-code-language="${escapeAttribute(lexerNameOf(language) ?? language)}"`
  return `<div class="codehilite"${attribute}><pre><span></span><code>${content}</code></pre></div>`
}

/** Without spaces at the ends of lines and without blank lines at the ends; one final newline. */
function toCode(lines: readonly string[]): string {
  const trimmed = lines.map((line) => line.trimEnd())
  let first = 0
  let end = trimmed.length
  while (first < end && trimmed[first] === '') first += 1
  while (end > first && trimmed[end - 1] === '') end -= 1
  return `${trimmed.slice(first, end).join('\n')}\n`
}

function tokensHtml(tokens: readonly CodeToken[], escape: (text: string) => string): string {
  let html = ''
  for (const { text, className } of tokens) {
    // Clients blank the whole block if it has an unknown class.
    if (className === undefined || !isTokenClass(className)) html += escape(text)
    else html += spanLines(text, className, escape)
  }
  return html
}

/** A token over several lines is one span per line: clients count the lines of the text. */
function spanLines(text: string, className: string, escape: (text: string) => string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : `<span class="${className}">${escape(line)}</span>`))
    .join('\n')
}

/** Without a language even quotes are escaped. */
function escapeWithQuotes(text: string): string {
  return escapeCode(text).replaceAll('"', '&quot;').replaceAll("'", '&#39;')
}
