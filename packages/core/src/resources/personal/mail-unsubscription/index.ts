import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineLinkPage } from '../../../http/replies/link-pages.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { UnsubscriptionPages } from './pages.js'

const path = '/mail_notifications/unsubscribe/{token}'
const params = { token: Bounded.name({ description: 'Part of the link in a mail.' }) }

const showMailUnsubscription = defineLinkPage({
  id: 'show-mail-unsubscription',
  summary: 'Get the page on which mails about missed messages, or digests, are turned off.',
  method: 'GET',
  path,
  params,
  errors: ['OBJECT_NOT_FOUND'],
  service: UnsubscriptionPages,
  page: (pages, { id }, params, acceptLanguage) => pages.ask(id, params.token, acceptLanguage),
})

const unsubscribeFromMails = defineLinkPage({
  id: 'unsubscribe-from-mails',
  summary:
    'Turn off mails about missed messages, or digests, as mail programs do with one click (RFC 8058).',
  method: 'POST',
  path,
  params,
  errors: ['OBJECT_NOT_FOUND'],
  service: UnsubscriptionPages,
  page: (pages, { id }, params, acceptLanguage) =>
    pages.unsubscribe(id, params.token, acceptLanguage),
})

export const mailUnsubscription = defineResource({
  operations: [showMailUnsubscription, unsubscribeFromMails],
})
