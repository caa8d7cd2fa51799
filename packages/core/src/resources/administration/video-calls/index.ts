import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineOperation, FileReply } from '../../../http/operation.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { joinPath, VideoCalls } from './video-calls.js'

export {
  BigBlueButtonToken,
  offeredProvider,
  videoCallsProblem,
  videoChatProviderIds,
  videoChatProviders,
  type BigBlueButtonServer,
  type VideoCallsOption,
} from './video-call-options.js'

/** The limit of BigBlueButton, in characters. */
const maxNameLength = 256

const createBigBlueButtonCall = defineOperation({
  id: 'create-big-blue-button-video-call',
  summary: 'Get the URL of a new BigBlueButton video call, in which the caller is moderator.',
  method: 'GET',
  path: '/calls/bigbluebutton/create',
  access: 'user',
  isPersonal: true,
  params: {
    meeting_name: Type.String({
      maxLength: maxNameLength,
      refuseBlank: true,
      description: 'The name that the call shows.',
    }),
    voice_only: Type.Optional(
      Type.Boolean({ description: 'Whether cameras are disabled for all but the caller.' }),
    ),
  },
  response: Type.Object({
    url: Type.String({ description: 'For all users of the organization, to open in a browser.' }),
  }),
  errors: ['BAD_REQUEST'],
  service: VideoCalls,
  handle(calls, { actor, params, request }) {
    const { meeting_name, voice_only = false } = params
    return { url: calls.create(actor, meeting_name, voice_only, request.chatUrl) }
  },
})

/** The response leads to a URL with which anyone could join as this user. */
const secretHeaders = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' } as const

const joinBigBlueButtonCall = defineOperation({
  id: 'join-big-blue-button-video-call',
  summary: 'Join a BigBlueButton video call at the URL of its creation. Opened in a browser.',
  method: 'GET',
  path: joinPath,
  access: 'visitor',
  undocumented: true,
  params: {
    meeting_id: Bounded.name({ description: 'The id at the BigBlueButton server.' }),
    name: Bounded.name({ description: 'The name that the call shows.' }),
    moderator_id: Bounded.id({ description: 'The id of the user who has created the call.' }),
    voice_only: Type.Boolean({ description: 'Whether cameras are disabled for all others.' }),
    checksum: Bounded.name({ description: 'The signature of the other parameters.' }),
  },
  response: Type.Object({}),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED', 'VIDEO_CALL_SERVER_FAILED'],
  service: VideoCalls,
  async handle(calls, { actor, params, request }) {
    const { checksum, ...link } = params
    const { organization, chatUrl } = request
    const location = await calls.join(actor, organization.id, link, checksum, chatUrl)
    const headers = { ...secretHeaders, Location: location }
    return new FileReply(Buffer.alloc(0), 'text/plain', { status: 302, headers })
  },
})

export const videoCalls = defineResource({
  operations: [createBigBlueButtonCall, joinBigBlueButtonCall],
})
