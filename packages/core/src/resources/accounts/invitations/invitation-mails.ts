import { namedText, writtenTime, type TextWriter } from '../../../texts/index.js'
import { oneLine, writtenLines, type Mail } from '../email-changes/index.js'

/** The content of the mails about joining an organization. */
export interface InvitationMailContent {
  readonly organizationName: string
  /** The name of the inviter; undefined for the application itself. */
  readonly inviterName: string | undefined
  readonly link: string
  /** UNIX seconds; null for never. */
  readonly expiresAtSeconds: number | null
}

/** The mail with which a user invites an address. */
export function invitationMail(
  to: string,
  content: InvitationMailContent,
  writer: TextWriter,
): Mail {
  const { write } = writer
  const organization = oneLine(content.organizationName)
  const inviter = content.inviterName === undefined ? undefined : oneLine(content.inviterName)
  return {
    to,
    subject: write(
      inviter === undefined
        ? namedText('MAIL_INVITATION', { organization })
        : namedText('MAIL_INVITATION_BY', { inviter, organization }),
    ),
    text: writtenLines(
      write(
        inviter === undefined
          ? namedText('MAIL_INVITATION_INTRO', { organization })
          : namedText('MAIL_INVITATION_INTRO_BY', { inviter, organization }),
      ),
      '',
      write(namedText('MAIL_INVITATION_OPEN')),
      content.link,
      ...expiry(content, writer),
      '',
      write(namedText('MAIL_INVITATION_IGNORE')),
    ),
  }
}

/** The mail to the address with which somebody signs up through a reusable link. */
export function signUpMail(to: string, content: InvitationMailContent, writer: TextWriter): Mail {
  const { write } = writer
  const organization = oneLine(content.organizationName)
  return {
    to,
    subject: write(namedText('MAIL_SIGN_UP', { organization })),
    text: writtenLines(
      write(namedText('MAIL_SIGN_UP_INTRO', { organization })),
      '',
      write(namedText('MAIL_SIGN_UP_OPEN')),
      content.link,
      ...expiry(content, writer),
      '',
      write(namedText('MAIL_SIGN_UP_IGNORE')),
    ),
  }
}

/** The mail instead of {@link signUpMail} to an address that has an account. */
export function existingAccountMail(
  to: string,
  { organizationName }: Pick<InvitationMailContent, 'organizationName'>,
  { write }: TextWriter,
): Mail {
  const organization = oneLine(organizationName)
  return {
    to,
    subject: write(namedText('MAIL_ACCOUNT_EXISTS', { organization })),
    text: writtenLines(
      write(namedText('MAIL_ACCOUNT_EXISTS_INTRO', { organization })),
      '',
      write(namedText('MAIL_ACCOUNT_EXISTS_HINT')),
      '',
      write(namedText('MAIL_IGNORE')),
    ),
  }
}

function expiry({ expiresAtSeconds }: InvitationMailContent, writer: TextWriter): string[] {
  if (expiresAtSeconds === null) return []
  const time = writtenTime(writer, expiresAtSeconds)
  return ['', writer.write(namedText('MAIL_LINK_EXPIRES', { time }))]
}
