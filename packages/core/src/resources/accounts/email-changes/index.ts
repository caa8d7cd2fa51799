import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineOperation, FileReply } from '../../../http/operation.js'
import { linkErrorPage, linkPageHeaders } from '../../../http/replies/link-pages.js'
import { htmlPageType } from '../../../kernel/html-page.js'
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

const showEmailChange = defineOperation({
  id: 'show-email-change',
  summary: 'Get the page on which a new address is confirmed; the confirmation mail links to it.',
  method: 'GET',
  path,
  access: 'anyone',
  countedByAddress: true,
  params,
  response: Type.Object({}),
  mediaType: 'text/html',
  errors: ['OBJECT_NOT_FOUND'],
  service: ConfirmationPages,
  errorPage: linkErrorPage,
  async handle(pages, { params, request }) {
    const { organization, acceptLanguage } = request
    const page = await pages.ask(organization.id, params.confirmation_key, acceptLanguage)
    return new FileReply(page, htmlPageType, { headers: linkPageHeaders })
  },
})

const confirmEmailChange = defineOperation({
  id: 'confirm-email-change',
  summary: 'Confirm a new address with the key that was mailed to it; the response is a page.',
  method: 'POST',
  path,
  access: 'anyone',
  countedByAddress: true,
  params,
  response: Type.Object({}),
  mediaType: 'text/html',
  errors: ['OBJECT_NOT_FOUND', 'BAD_REQUEST'],
  service: ConfirmationPages,
  errorPage: linkErrorPage,
  async handle(pages, { params, request }) {
    const { organization, acceptLanguage } = request
    const page = await pages.confirm(organization.id, params.confirmation_key, acceptLanguage)
    return new FileReply(page, htmlPageType, { headers: linkPageHeaders })
  },
})

export const emailChanges = defineResource({
  operations: [showEmailChange, confirmEmailChange],
})
