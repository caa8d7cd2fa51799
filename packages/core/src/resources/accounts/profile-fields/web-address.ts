const scheme = /^(?:https?|ftps?):\/\/[^\s/?#]/i
const maxLength = 2083

/** Whether a text is a URL that a browser can open, with a valid host. */
export function isWebAddress(text: string): boolean {
  if (text.length > maxLength || !scheme.test(text) || /[\s\p{C}<>"]/u.test(text)) return false
  try {
    // `URL` only validates the hosts of the schemes that it knows.
    const { hostname } = new URL(text.replace(/^ftps:/i, 'ftp:'))
    return hostname === 'localhost' || hostname.startsWith('[') || /[^.]\.[^.]/.test(hostname)
  } catch {
    // Not a URL.
    return false
  }
}
