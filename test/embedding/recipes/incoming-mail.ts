import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

import type { ChatServer } from '@parley/core'
import { SMTPServer } from 'smtp-server'

/** An SMTP server that passes the mail of a domain to the chat. */
export function createMailServer(chat: ChatServer, domain: string): SMTPServer {
  return new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    size: 10 * 1024 * 1024,
    onRcptTo({ address }, { envelope }, done) {
      if (!address.endsWith(`@${domain}`)) done(answer(550, 'We do not relay mail'))
      // The sender's server repeats the mail for each of the others.
      else if (envelope.rcptTo.length > 0) done(answer(452, 'One recipient at a time'))
      else done()
    },
    async onData(stream, { envelope }, done) {
      done(await deliver(chat, stream, envelope.rcptTo[0]?.address ?? ''))
    },
  })
}

/** @returns the answer to the sender's server; null if the mail was accepted. */
async function deliver(
  chat: ChatServer,
  stream: Readable,
  recipient: string,
): Promise<Error | null> {
  try {
    const mail = await chat.receiveMail(await buffer(stream), { recipient })
    return mail.status === 'sent' ? null : answer(550, mail.text)
  } catch {
    // The sender's server tries again later.
    return answer(451, 'Please try again later')
  }
}

function answer(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}
