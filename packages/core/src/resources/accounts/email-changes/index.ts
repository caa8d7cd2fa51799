import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineLinkPage } from '../../../http/replies/link-pages.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { ConfirmationPages } from './confirmation-pages.js'

export {
  DeactivatedEmailChanges,
  EmailChanges,
  type RequestedEmailChange,
} from './email-changes.js'
export { Mailer } from './mailer.js'
export { MailSenderToken, oneLine, writtenLines, type Mail, type MailSender } from './mail.js'

const path = '/accounts/confirm_new_email/{confirmation_key}'
const params = { confirmation_key: Bounded.name() }

const showEmailChange = defineLinkPage({
  id: 'show-email-change',
  summary: 'Get the page on which a new address is confirmed; the confirmation mail links to it.',
  method: 'GET',
  path,
  params,
  errors: ['OBJECT_NOT_FOUND'],
  service: ConfirmationPages,
  page: (pages, { id }, params, acceptLanguage) =>
    pages.ask(id, params.confirmation_key, acceptLanguage),
})

const confirmEmailChange = defineLinkPage({
  id: 'confirm-email-change',
  summary: 'Confirm a new address with the key that was mailed to it; the response is a page.',
  method: 'POST',
  path,
  params,
  errors: ['OBJECT_NOT_FOUND', 'BAD_REQUEST'],
  service: ConfirmationPages,
  page: (pages, { id }, params, acceptLanguage) =>
    pages.confirm(id, params.confirmation_key, acceptLanguage),
})

export const emailChanges = defineResource({
  operations: [showEmailChange, confirmEmailChange],
})
