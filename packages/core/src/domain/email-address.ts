const local =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~\u0080-\uFFFF-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~\u0080-\uFFFF-]+)*$/
const label = /^[A-Za-z0-9\u0080-\uFFFF]([A-Za-z0-9\u0080-\uFFFF-]{0,61}[A-Za-z0-9\u0080-\uFFFF])?$/

/** The longest address (RFC 5321, errata 1690). */
const maxEmailLength = 254

/** Whether a text has the form of an e-mail address that mail could be sent to. */
export function isEmailAddress(text: string): boolean {
  if (text.length > maxEmailLength) return false
  const at = text.lastIndexOf('@')
  if (at < 1 || at > 64 || !local.test(text.slice(0, at))) return false
  const domain = text.slice(at + 1)
  if (domain.toLowerCase() === 'localhost') return true
  const labels = domain.split('.')
  return labels.length >= 2 && labels.every((part) => label.test(part))
}
