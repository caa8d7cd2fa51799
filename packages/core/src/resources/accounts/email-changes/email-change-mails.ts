import { namedText, type TextWriter } from '../../../texts/index.js'
import { oneLine, writtenLines, type Mail } from './mail.js'

/** The mail to a new address, whose reader confirms the address by following a link. */
export function confirmationMail(
  to: string,
  { organizationName, link }: { readonly organizationName: string; readonly link: string },
  { write }: TextWriter,
): Mail {
  const organization = oneLine(organizationName)
  return {
    to,
    subject: write(namedText('MAIL_NEW_ADDRESS', { organization })),
    text: writtenLines(
      write(namedText('MAIL_NEW_ADDRESS_INTRO', { organization })),
      '',
      write(namedText('MAIL_NEW_ADDRESS_OPEN')),
      link,
      '',
      write(namedText('MAIL_NEW_ADDRESS_IGNORE')),
    ),
  }
}

/** The mail to the old address, so that its owner notices the change. */
export function addressChangedMail(
  to: string,
  { organizationName, newEmail }: { readonly organizationName: string; readonly newEmail: string },
  { write }: TextWriter,
): Mail {
  const organization = oneLine(organizationName)
  return {
    to,
    subject: write(namedText('MAIL_ADDRESS_CHANGED', { organization })),
    text: writtenLines(
      write(namedText('MAIL_ADDRESS_CHANGED_INTRO', { organization, email: newEmail })),
      '',
      write(namedText('MAIL_ADDRESS_CHANGED_HINT')),
    ),
  }
}
