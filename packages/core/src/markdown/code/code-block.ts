import type { CodeToken } from '../context.js'
import { escapeAttribute, escapeCode } from '../html.js'
import type { InlineScope } from '../inline/inline-scope.js'
import { lexerNameOf } from './lexer-names.js'

const path = /^#!\s*(\S+)(?:\s+(\S+))?/
const colons = /^:{2,}([A-Za-z0-9_+-]+)/

/**
 * The language that the first line of code indicates: an interpreter after `#!`, or a name after
 * two or more colons. `undefined` if it indicates none.
 */
function guessLanguage(code: string): string | undefined {
  const firstLine = code.slice(0, code.indexOf('\n'))
  const named = colons.exec(firstLine)?.[1]
  if (named !== undefined) return named.toLowerCase()
  const match = path.exec(firstLine)
  if (match === null) return undefined
  const [, command = '', argument = ''] = match
  const program = command.slice(command.lastIndexOf('/') + 1)
  return (program === 'env' ? argument : program).toLowerCase() || undefined
}

/** The Pygments short class names that existing clients accept on a span of code. */
const tokenClasses: ReadonlySet<string> = new Set(
  (
    'w esc err x k kc kd kn kp kr kt n na nb bp nc no nd ni ne nf fm py nl nn nx nt nv vc vg vi vm ' +
    'l ld s sa sb sc dl sd s2 se sh si sx sr s1 ss m mb mf mh mi il mo o ow p pm ' +
    'c ch cm cp cpf c1 cs g gd ge gr gh gi go gp gs gu ges gt'
  ).split(' '),
)

/** Whether clients accept a span of class `name` in code. */
function isTokenClass(name: string): boolean {
  return tokenClasses.has(name)
}

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
