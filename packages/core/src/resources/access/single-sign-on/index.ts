import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineOperation, FileReply } from '../../../http/operation.js'
import { callOriginOf } from '../../../http/pipeline/request-facts.js'
import { htmlPageType } from '../../../kernel/html-page.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { consentPageHeaders } from './consent-page.js'
import { SignOnService } from './sign-on-service.js'

export { loginLocation } from './sign-on-service.js'
export {
  externalMethods,
  SignOnToken,
  type ExternalAuthenticationMethod,
  type SignOn,
} from './sign-on-settings.js'

/** The response contains a key, encrypted with a pad that is part of the request's URL. */
const secretHeaders = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' } as const

const signOn = defineOperation({
  id: 'sign-on',
  summary: "Sign in on a device through the application's own login page. Opened in a browser.",
  method: 'GET',
  path: '/sign_on',
  access: 'visitor',
  undocumented: true,
  params: {
    mobile_flow_otp: Type.Optional(
      Bounded.name({
        description: '32 random bytes in hexadecimal: the one-time pad that encrypts the API key.',
      }),
    ),
    desktop_flow_otp: Type.Optional(Bounded.name({ description: 'Not supported.' })),
  },
  response: Type.Object({}),
  errors: ['BAD_REQUEST', 'ROUTE_NOT_FOUND'],
  service: SignOnService,
  async handle(service, { actor, params, request }) {
    const step = await service.step({
      actor,
      mobilePad: params.mobile_flow_otp,
      desktopPad: params.desktop_flow_otp,
      isCrossSiteNavigation: request.isCrossSiteNavigation,
      chatUrl: request.chatUrl,
      origin: callOriginOf(request),
      acceptLanguage: request.acceptLanguage,
    })
    if ('page' in step) {
      return new FileReply(step.page, htmlPageType, {
        headers: { ...secretHeaders, ...consentPageHeaders },
      })
    }
    const headers = { ...secretHeaders, Location: step.location }
    return new FileReply(Buffer.alloc(0), 'text/plain', { status: 302, headers })
  },
})

export const singleSignOn = defineResource({
  operations: [signOn],
})
