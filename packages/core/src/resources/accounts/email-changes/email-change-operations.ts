import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineOperation, FileReply } from '../../../http/operation.js'
import { confirmationPage, confirmationPageHeaders, confirmedPage } from './confirmation-pages.js'
import { EmailChanges } from './email-changes.js'

const path = '/accounts/confirm_new_email/{confirmation_key}'
const params = { confirmation_key: Bounded.name() }
const pageType = 'text/html; charset=utf-8'

export const showEmailChange = defineOperation({
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
  service: EmailChanges,
  async handle(changes, { params, request }) {
    const email = await changes.requirePending(request.organization.id, params.confirmation_key)
    return new FileReply(confirmationPage(email), pageType, {
      headers: confirmationPageHeaders,
    })
  },
})

export const confirmEmailChange = defineOperation({
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
  service: EmailChanges,
  async handle(changes, { params, request }) {
    const email = await changes.confirm(request.organization.id, params.confirmation_key)
    return new FileReply(confirmedPage(email), pageType, {
      headers: confirmationPageHeaders,
    })
  },
})
