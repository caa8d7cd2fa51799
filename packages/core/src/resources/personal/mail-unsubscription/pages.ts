import { inject } from 'tsyringe'

import { escapeHtml } from '../../../kernel/html.js'
import { htmlPage } from '../../../kernel/html-page.js'
import { perServer } from '../../../kernel/per-server.js'
import { namedText } from '../../../texts/index.js'
import { ReaderTexts } from '../../organization/organizations/index.js'
import { MailUnsubscription } from './mail-unsubscription.js'

const questions = {
  mentions: 'PAGE_MAILS_ABOUT_MENTIONS',
  followed_topic: 'PAGE_MAILS_ABOUT_TOPICS',
  channel: 'PAGE_MAILS_ABOUT_CHANNEL',
  digest: 'PAGE_MAILS_ABOUT_DIGESTS',
} as const
const results = {
  mentions: 'PAGE_MAILS_STOPPED_MENTIONS',
  followed_topic: 'PAGE_MAILS_STOPPED_TOPICS',
  channel: 'PAGE_MAILS_STOPPED_CHANNEL',
  digest: 'PAGE_MAILS_STOPPED_DIGESTS',
} as const

/** Writes the pages on which mails are turned off, as HTML. */
@perServer()
export class UnsubscriptionPages {
  constructor(
    @inject(MailUnsubscription) private readonly unsubscription: MailUnsubscription,
    @inject(ReaderTexts) private readonly texts: ReaderTexts,
  ) {}

  /**
   * The page that a link in a mail opens. Programs that only follow links must not turn off mails,
   * so the page has a form for that.
   *
   * @throws {ChatError} the errors of {@link MailUnsubscription.requireKind}.
   */
  async ask(
    organizationId: number,
    token: string,
    acceptLanguage: string | undefined,
  ): Promise<Buffer> {
    const kind = await this.unsubscription.requireKind(organizationId, token)
    const { locale, write } = await this.texts.writerForPage(organizationId, acceptLanguage)
    const question = escapeHtml(write(namedText(questions[kind])))
    return htmlPage(
      locale,
      write(namedText('PAGE_MAILS')),
      `<form method="post"><p>${question}</p>` +
        `<p><button type="submit">${escapeHtml(write(namedText('MAIL_STOP')))}</button></p></form>`,
    )
  }

  /**
   * Turns off the mails that the link is for, and writes the page that says so.
   *
   * @throws {ChatError} the errors of {@link MailUnsubscription.unsubscribe}.
   */
  async unsubscribe(
    organizationId: number,
    token: string,
    acceptLanguage: string | undefined,
  ): Promise<Buffer> {
    const kind = await this.unsubscription.unsubscribe(organizationId, token)
    const { locale, write } = await this.texts.writerForPage(organizationId, acceptLanguage)
    const result = escapeHtml(write(namedText(results[kind])))
    return htmlPage(locale, write(namedText('PAGE_MAILS_STOPPED')), `<p>${result}</p>`)
  }
}
