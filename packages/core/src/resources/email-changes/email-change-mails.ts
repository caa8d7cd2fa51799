import type { Mail } from '../mail/index.js'

/** Asks whoever reads a new address to prove that by following a link. */
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

/** Tells the old address, so that nobody loses an account without noticing. */
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

/** Names may hold anything; a line break in a subject would start a header of its own. */
function oneLine(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ')
}
