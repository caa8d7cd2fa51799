import type { IncomingMailContent } from './mail-parser.js'

/** The `Message-ID` of the chat's own mails. */
const ownId = /<parley\./

/**
 * Whether a mail must not become a message because it could be part of a loop: automatic answers
 * (RFC 3834), bounces, and the chat's own mails. Notifications of programs are also marked as
 * automatic; many channels have addresses for them, and they never answer a mail.
 *
 * @param isReply whether the mail was sent to an address for replies, to which only people write.
 */
export function isAutomatic({ headers, id }: IncomingMailContent, isReply: boolean): boolean {
  const values = (name: string) => headers(name).map((value) => value.toLowerCase())
  const first = (name: string) => (values(name)[0] ?? '').split(/[\s;(]/, 1)[0] ?? ''
  const precedence = first('precedence')
  const submitted = first('auto-submitted')
  return (
    [id ?? '', ...headers('resent-message-id'), ...headers('x-parley')].some((text) =>
      ownId.test(text),
    ) ||
    submitted === 'auto-replied' ||
    precedence === 'auto_reply' ||
    ['x-autoreply', 'x-autorespond', 'x-failed-recipients'].some((name) => first(name) !== '') ||
    values('return-path').includes('<>') ||
    first('content-type') === 'multipart/report' ||
    (isReply &&
      ((submitted !== '' && submitted !== 'no') || ['bulk', 'junk', 'list'].includes(precedence)))
  )
}
