/** How mail programs mark texts that are not of the sender, by classes and ids. */

type Attributes = Readonly<Record<string, string>>

const attributions = new Set(['gmail_attr', 'moz-cite-prefix', 'yahoo-quoted-begin'])
/** Outlook marks where the quoted mail begins, and not what belongs to it. */
const rests = new Set(['divrplyfwdmsg', 'appendonsend'])
const signatureClasses = new Set([
  'gmail_signature',
  'gmail_signature_prefix',
  'moz-signature',
  'protonmail_signature_block',
])
const signatureIds = new Set([
  'signature',
  'applemailsignature',
  'ms-outlook-mobile-signature',
  'ymail_android_signature',
  'ymail_ios_signature',
])
const maxLength = 500

export function isAttribution(attributes: Attributes): boolean {
  return wordsOf(attributes['class']).some((name) => attributions.has(name))
}

/** Elements that are not `blockquote`, and contain the quoted mail with its attribution. */
export function isQuote(attributes: Attributes): boolean {
  return attributes['name'] === 'quote' || isQuoteWithAnswers(attributes)
}

/** Those in which answers between the lines cannot be recognized. */
export function isQuoteWithAnswers(attributes: Attributes): boolean {
  return wordsOf(attributes['class']).some((name) => name.endsWith('yahoo_quoted'))
}

export function isRest(attributes: Attributes): boolean {
  return wordsOf(attributes['id']).some((name) => rests.has(name))
}

export function isSignature(attributes: Attributes): boolean {
  return (
    wordsOf(attributes['class']).some((name) => signatureClasses.has(name)) ||
    wordsOf(attributes['id']).some((name) => signatureIds.has(name))
  )
}

function wordsOf(value = ''): readonly string[] {
  return value.slice(0, maxLength).toLowerCase().split(/\s+/)
}
