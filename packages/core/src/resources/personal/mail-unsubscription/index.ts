import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineOperation, FileReply } from '../../../http/operation.js'
import { linkErrorPage, linkPageHeaders } from '../../../http/replies/link-pages.js'
import { htmlPageType } from '../../../kernel/html-page.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { UnsubscriptionPages } from './pages.js'

const path = '/mail_notifications/unsubscribe/{token}'
const params = { token: Bounded.name({ description: 'Part of the link in a mail.' }) }

const showMailUnsubscription = defineOperation({
  id: 'show-mail-unsubscription',
  summary: 'Get the page on which mails about missed messages, or digests, are turned off.',
  method: 'GET',
  path,
  access: 'anyone',
  countedByAddress: true,
  params,
  response: Type.Object({}),
  mediaType: 'text/html',
  errors: ['OBJECT_NOT_FOUND'],
  service: UnsubscriptionPages,
  errorPage: linkErrorPage,
  async handle(pages, { params, request }) {
    const { organization, acceptLanguage } = request
    const page = await pages.ask(organization.id, params.token, acceptLanguage)
    return new FileReply(page, htmlPageType, { headers: linkPageHeaders })
  },
})

const unsubscribeFromMails = defineOperation({
  id: 'unsubscribe-from-mails',
  summary:
    'Turn off mails about missed messages, or digests, as mail programs do with one click (RFC 8058).',
  method: 'POST',
  path,
  access: 'anyone',
  countedByAddress: true,
  params,
  response: Type.Object({}),
  mediaType: 'text/html',
  errors: ['OBJECT_NOT_FOUND'],
  service: UnsubscriptionPages,
  errorPage: linkErrorPage,
  async handle(pages, { params, request }) {
    const { organization, acceptLanguage } = request
    const page = await pages.unsubscribe(organization.id, params.token, acceptLanguage)
    return new FileReply(page, htmlPageType, { headers: linkPageHeaders })
  },
})

export const mailUnsubscription = defineResource({
  operations: [showMailUnsubscription, unsubscribeFromMails],
})
