import { limits } from '../../../domain/limits.js'
import { escapeHtml } from '../../../kernel/html.js'
import { htmlPage, markedUp } from '../../../kernel/html-page.js'
import { namedText, type TextWriter } from '../../../texts/index.js'
import type { JoinView } from './join-service.js'

/** The settings that the pages of a server have in common. */
export interface JoinPageSettings {
  readonly termsUrl: string | undefined
  readonly continueUrl: string | undefined
  readonly minPasswordLength: number
}

/** The values that a person has entered before, and the problem with them. */
export interface EnteredForm {
  readonly email?: string | undefined
  readonly fullName?: string | undefined
  readonly problem?: string | undefined
}

/** The page of one step of signing up. */
export function joinPage(
  { step, organizationName: organization, inviterName: inviter }: JoinView,
  settings: JoinPageSettings,
  writer: TextWriter,
  entered: EnteredForm = {},
): Buffer {
  const { write } = writer
  const page = (title: string, body: string) => htmlPage(writer.locale, title, body)
  switch (step.kind) {
    case 'address':
      return page(
        write(namedText('PAGE_JOIN', { organization })),
        alertOf(entered) +
          paragraph(write(namedText('PAGE_JOIN_ENTER_ADDRESS'))) +
          form(addressInput(writer, entered.email), write(namedText('PAGE_JOIN_SEND'))),
      )
    case 'mail':
      return page(
        write(namedText('PAGE_JOIN_MAIL')),
        withAddress(write(namedText('PAGE_JOIN_MAIL_SENT', { email: step.email })), step.email),
      )
    case 'account': {
      const address =
        step.email === undefined
          ? addressInput(writer, entered.email)
          : knownAddress(writer, step.email)
      const inputs = address + nameInput(writer, entered.fullName) + passwordInput(writer, settings)
      const invitation =
        inviter === undefined
          ? ''
          : paragraph(write(namedText('PAGE_JOIN_INVITED', { inviter, organization })))
      return page(
        write(namedText('PAGE_JOIN', { organization })),
        invitation +
          alertOf(entered) +
          form(
            inputs + termsInput(writer, settings.termsUrl),
            write(namedText('PAGE_JOIN_CREATE')),
          ),
      )
    }
    case 'done':
      return page(
        write(namedText('PAGE_JOIN_DONE', { organization })),
        withAddress(write(namedText('PAGE_JOIN_CREATED', { email: step.email })), step.email) +
          continueLink(writer, settings),
      )
  }
}

/** The page of an error that leaves nothing to enter. */
export function joinErrorPage(message: string, { locale, write }: TextWriter): Buffer {
  return htmlPage(locale, write(namedText('PAGE_JOIN_REFUSED')), paragraph(message))
}

function continueLink({ write }: TextWriter, { continueUrl }: JoinPageSettings): string {
  if (continueUrl === undefined) return ''
  const text = escapeHtml(write(namedText('PAGE_JOIN_CONTINUE')))
  return `<a class="button" href="${escapeHtml(continueUrl)}">${text}</a>`
}

function form(inputs: string, action: string): string {
  return `<form method="post">${inputs}<button type="submit">${escapeHtml(action)}</button></form>`
}

function paragraph(text: string): string {
  return `<p>${escapeHtml(text)}</p>`
}

function withAddress(text: string, email: string): string {
  return `<p>${markedUp(text, email, `<strong>${escapeHtml(email)}</strong>`)}</p>`
}

function alertOf({ problem }: EnteredForm): string {
  return problem === undefined ? '' : `<p role="alert">${escapeHtml(problem)}</p>`
}

function addressInput({ write }: TextWriter, value = ''): string {
  return (
    `<label>${escapeHtml(write(namedText('PAGE_JOIN_EMAIL')))}` +
    '<input type="email" name="email" autocomplete="email" required ' +
    `maxlength="${limits.maxEmailLength}" value="${escapeHtml(value)}"></label>`
  )
}

/** Not submitted; programs that store passwords find the name of the account here. */
function knownAddress({ write }: TextWriter, email: string): string {
  return (
    `<label>${escapeHtml(write(namedText('PAGE_JOIN_EMAIL')))}` +
    '<input type="email" autocomplete="username" readonly ' +
    `value="${escapeHtml(email)}"></label>`
  )
}

function nameInput({ write }: TextWriter, value = ''): string {
  return (
    `<label>${escapeHtml(write(namedText('PAGE_JOIN_NAME')))}` +
    '<input name="full_name" autocomplete="name" required ' +
    `maxlength="${limits.maxFullNameLength}" value="${escapeHtml(value)}"></label>`
  )
}

function passwordInput({ write }: TextWriter, { minPasswordLength }: JoinPageSettings): string {
  const hint = write(namedText('PAGE_JOIN_PASSWORD_HINT', { count: minPasswordLength }))
  return (
    `<label>${escapeHtml(write(namedText('PAGE_JOIN_PASSWORD')))}` +
    '<input type="password" name="password" autocomplete="new-password" required ' +
    `minlength="${minPasswordLength}" maxlength="${limits.passwordMaxLength}">` +
    `<small>${escapeHtml(hint)}</small></label>`
  )
}

function termsInput({ write }: TextWriter, termsUrl: string | undefined): string {
  if (termsUrl === undefined) return ''
  const terms = write(namedText('PAGE_JOIN_TERMS'))
  const link =
    `<a href="${escapeHtml(termsUrl)}" target="_blank" rel="noopener noreferrer">` +
    `${escapeHtml(terms)}</a>`
  const text = markedUp(write(namedText('PAGE_JOIN_ACCEPT', { terms })), terms, link)
  return `<label><input type="checkbox" name="terms" value="accepted" required> ${text}</label>`
}
