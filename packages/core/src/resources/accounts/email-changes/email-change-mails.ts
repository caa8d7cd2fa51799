import type { Mail } from './mail.js'

/** The mail to a new address, whose reader confirms the address by following a link. */
export function confirmationMail(
  to: string,
  { organizationName, link }: { readonly organizationName: string; readonly link: string },
): Mail {
  return {
    to,
    subject: `Confirm your new email address for ${oneLine(organizationName)}`,
    text: [
      `Somebody, probably you, wants to use this address in ${oneLine(organizationName)} from now on.`,
      '',
      'To confirm this within a day, open:',
      link,
      '',
      'If it was not you, ignore this mail; nothing changes then.',
      '',
    ].join('\n'),
  }
}

/** The mail to the old address, so that its owner notices the change. */
export function addressChangedMail(
  to: string,
  { organizationName, newEmail }: { readonly organizationName: string; readonly newEmail: string },
): Mail {
  return {
    to,
    subject: `Your email address for ${oneLine(organizationName)} was changed`,
    text: [
      `Your address in ${oneLine(organizationName)} is now ${newEmail}.`,
      '',
      'If it was not you who changed it, tell an administrator of the organization.',
      '',
    ].join('\n'),
  }
}

/** Names may contain anything; a line break in a subject would start another header. */
function oneLine(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ')
}
