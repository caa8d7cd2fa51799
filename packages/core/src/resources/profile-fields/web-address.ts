const scheme = /^(?:https?|ftps?):\/\/[^\s/?#]/i
const maxLength = 2083

/** Whether a text is an address that a browser may follow, with a host that can exist. */
export function isWebAddress(text: string): boolean {
  if (text.length > maxLength || !scheme.test(text) || /[\s\p{C}<>"]/u.test(text)) return false
  try {
    // Only the schemes that the parser knows have their hosts checked.
    const { hostname } = new URL(text.replace(/^ftps:/i, 'ftp:'))
    return hostname === 'localhost' || hostname.startsWith('[') || /[^.]\.[^.]/.test(hostname)
  } catch {
    // Not even the form of an address.
    return false
  }
}
