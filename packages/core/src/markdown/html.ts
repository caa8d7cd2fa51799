const special = /[&<>]/
const specialInAttribute = /[&<>"\n]/
const bareAmpersand = /&(?!(?:#[0-9]{1,10}|#[xX][0-9a-fA-F]{1,8}|[0-9a-zA-Z]{1,40});)/g

/**
 * Escapes running text. A character reference such as `&copy;` is kept as typed: it can only yield
 * text. Quotes are kept.
 */
export function escapeText(text: string): string {
  if (!special.test(text)) return text
  return text.replace(bareAmpersand, '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Escapes the content of a code element, where a character reference is literal text. */
export function escapeCode(text: string): string {
  if (!special.test(text)) return text
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Escapes a value for use between double quotes. Character references are kept. */
export function escapeAttribute(value: string): string {
  if (!specialInAttribute.test(value)) return value
  return escapeText(value).replaceAll('"', '&quot;').replaceAll('\n', '&#10;')
}
