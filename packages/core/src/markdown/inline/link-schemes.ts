/**
 * The schemes of all links that users can make: in messages, topics, and templates of linkifiers.
 * `file` is not among them: it leads to a file of the reader or, on Windows, to a server that gets
 * the reader's credentials. `@parley/web` has the same list.
 */
export const linkSchemes: readonly string[] = (
  'http https ftp bitcoin geo im irc ircs magnet mailto matrix mms news nntp openpgp4fpr sip sms ' +
  'smsto ssh tel urn webcal wtai xmpp'
).split(' ')

const allowed = new Set(linkSchemes)

/** Whether links can have the scheme, in any case and without its colon. */
export function isLinkScheme(name: string): boolean {
  return allowed.has(name.toLowerCase())
}
