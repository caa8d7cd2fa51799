/** Why a mail was refused. */
export type MailRefusal =
  /** It was not sent to an address of the chat, or the address is not valid any more. */
  | 'unknown_address'
  /** The sender of the message may not post there any more, or the application has refused it. */
  | 'not_allowed'
  /** A reply to a mail of the chat that does not come from the recipient's address. */
  | 'wrong_sender'
  /** An automatic answer, a bounce, or a mail of the chat itself. */
  | 'automatic'
  /** It is larger, or has more parts or longer headers, than allowed. */
  | 'too_large'
  /** It is not a mail (RFC 5322). */
  | 'malformed'
  /** It has neither text nor attachments. */
  | 'empty'

/** The result of receiving a mail. */
export type ReceivedMail =
  | {
      readonly status: 'sent'
      /** The id of the message; of a mail that arrives again within a day, the first message. */
      readonly messageId: number
    }
  | {
      readonly status: 'refused'
      readonly reason: MailRefusal
      /** The same in English, for the answer to the sender's mail server. */
      readonly text: string
    }

const texts: Readonly<Record<MailRefusal, string>> = {
  unknown_address: 'There is no such mailbox',
  not_allowed: 'Messages to this address are not accepted',
  wrong_sender: 'Please reply from the address that received the mail',
  automatic: 'Automatic answers are not accepted',
  too_large: 'The mail is too large',
  malformed: 'The mail is malformed',
  empty: 'The mail has no content',
}

/** Ends receiving a mail that no other attempt can change. */
export class MailRefused extends Error {
  constructor(readonly reason: MailRefusal) {
    super(texts[reason])
  }

  get result(): ReceivedMail {
    return { status: 'refused', reason: this.reason, text: this.message }
  }
}
