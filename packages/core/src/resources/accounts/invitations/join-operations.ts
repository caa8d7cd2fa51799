import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { type ChatError, csrfError, namedText, visitorText } from '../../../errors/index.js'
import { defineOperation, FileReply, type RefusedVisit } from '../../../http/operation.js'
import { htmlPageHeaders, htmlPageType } from '../../../kernel/html-page.js'
import { joinErrorPage } from './join-page.js'
import { JoinPages } from './join-pages.js'

const joinPageHeaders = htmlPageHeaders('same-origin')
const path = '/accounts/join/{invitation_key}'
const invitation_key = Bounded.name({ description: 'The key in the link of the invitation.' })

export const showJoinPage = defineOperation({
  id: 'show-join-page',
  summary: 'Get the page on which a person accepts an invitation; invitation links lead to it.',
  method: 'GET',
  path,
  access: 'anyone',
  countedByAddress: true,
  params: { invitation_key },
  response: Type.Object({}),
  mediaType: 'text/html',
  otherStatuses: [302],
  errors: ['OBJECT_NOT_FOUND', 'BAD_REQUEST'],
  service: JoinPages,
  errorPage,
  async handle(pages, { params, request }) {
    const { organization, chatUrl, acceptLanguage } = request
    const answer = await pages.begin(organization, params.invitation_key, chatUrl, acceptLanguage)
    if ('location' in answer) {
      const headers = { ...joinPageHeaders, Location: answer.location }
      return new FileReply(Buffer.alloc(0), 'text/plain', { status: 302, headers })
    }
    return reply(answer.page)
  },
})

export const submitJoinPage = defineOperation({
  id: 'submit-join-page',
  summary: 'Accept an invitation with the form of the page; the response is a page.',
  method: 'POST',
  path,
  access: 'anyone',
  countedByAddress: true,
  params: {
    invitation_key,
    email: Type.Optional(
      Bounded.name({ description: 'The address, unless the invitation has one.' }),
    ),
    full_name: Type.Optional(Bounded.name({ contentKind: 'user.fullName' })),
    password: Type.Optional(Bounded.name()),
    terms: Type.Optional(
      Bounded.name({ description: '`accepted`, if the page asks to accept terms.' }),
    ),
  },
  response: Type.Object({}),
  mediaType: 'text/html',
  errors: ['OBJECT_NOT_FOUND', 'BAD_REQUEST', 'CSRF_FAILED'],
  service: JoinPages,
  errorPage,
  async handle(pages, { params, request }) {
    if (request.isCrossSiteNavigation) {
      throw csrfError('CSRF_FORM_ON_OTHER_SITE')
    }
    const { page, status } = await pages.submit(
      request.organization,
      params.invitation_key,
      {
        email: params.email,
        fullName: params.full_name,
        password: params.password,
        acceptsTerms: params.terms === 'accepted',
      },
      {
        chatUrl: request.chatUrl,
        remoteAddress: request.remoteAddress,
        limitHeaders: request.rateLimitHeaders,
      },
      request.acceptLanguage,
    )
    return reply(page, status)
  },
})

function reply(page: Buffer, status = 200): FileReply {
  return new FileReply(page, htmlPageType, { status, headers: joinPageHeaders })
}

function errorPage(error: ChatError, { writer }: RefusedVisit): FileReply {
  const text =
    error.kind === 'CSRF_FAILED'
      ? writer.write(namedText('PAGE_JOIN_OTHER_SITE'))
      : visitorText(error, writer)
  return reply(joinErrorPage(text, writer))
}
