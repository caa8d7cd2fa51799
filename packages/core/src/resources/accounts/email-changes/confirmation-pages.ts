import { inject } from 'tsyringe'

import { escapeHtml } from '../../../kernel/html.js'
import { htmlPage, markedUp } from '../../../kernel/html-page.js'
import { perServer } from '../../../kernel/per-server.js'
import { namedText, type TextWriter } from '../../../texts/index.js'
import { ReaderTexts } from '../../organization/organizations/index.js'
import { EmailChanges } from './email-changes.js'

/** Writes the pages on which new addresses are confirmed, as HTML. */
@perServer()
export class ConfirmationPages {
  constructor(
    @inject(EmailChanges) private readonly changes: EmailChanges,
    @inject(ReaderTexts) private readonly texts: ReaderTexts,
  ) {}

  /**
   * The page that a mailed link opens. Programs that only follow links must not confirm the address,
   * so the page has a form for that.
   *
   * @throws {ChatError} the errors of {@link EmailChanges.requirePending}.
   */
  async ask(
    organizationId: number,
    key: string,
    acceptLanguage: string | undefined,
  ): Promise<Buffer> {
    const email = await this.changes.requirePending(organizationId, key)
    const writer = await this.texts.writerForPage(organizationId, acceptLanguage)
    const { write, locale } = writer
    return htmlPage(
      locale,
      write(namedText('PAGE_ADDRESS')),
      `<form method="post"><p>${withAddress(writer, 'PAGE_ADDRESS_QUESTION', email)}</p><p>` +
        `<button type="submit">${escapeHtml(write(namedText('PAGE_ADDRESS_CONFIRM')))}</button></p></form>`,
    )
  }

  /**
   * Confirms the address.
   *
   * @throws {ChatError} the errors of {@link EmailChanges.confirm}.
   */
  async confirm(
    organizationId: number,
    key: string,
    acceptLanguage: string | undefined,
  ): Promise<Buffer> {
    const email = await this.changes.confirm(organizationId, key)
    const writer = await this.texts.writerForPage(organizationId, acceptLanguage)
    return htmlPage(
      writer.locale,
      writer.write(namedText('PAGE_ADDRESS_CHANGED')),
      `<p>${withAddress(writer, 'PAGE_ADDRESS_NOW', email)}</p>`,
    )
  }
}

function withAddress(
  { write }: TextWriter,
  name: 'PAGE_ADDRESS_QUESTION' | 'PAGE_ADDRESS_NOW',
  email: string,
): string {
  return markedUp(write(namedText(name, { email })), email, `<b>${escapeHtml(email)}</b>`)
}
