import { Type } from 'typebox'

import { ChatError } from '../../../packages/core/src/errors/index.js'
import {
  defineOperation,
  SerializedReply,
  type Operation,
} from '../../../packages/core/src/http/index.js'
import type { RequestFacts } from '../../../packages/core/src/http/operation.js'

/** The service of the sample operations, which tests control. */
export class SampleService {
  /** Thrown by `fail`. */
  failure: unknown
  /** Called when `wait` holds a request. */
  whenHeld: (onDisconnect: RequestFacts['onDisconnect']) => void = () => {}
}

const Echo = Type.Unknown()

/** An operation that returns its parameters. */
function echo(
  declaration: Pick<Operation, 'id' | 'path' | 'method' | 'params'> & Partial<Operation>,
): Operation {
  return defineOperation({
    summary: 'Answers what it was given.',
    access: 'user',
    response: Type.Object({ params: Echo }),
    errors: [],
    service: SampleService,
    handle: (_service: SampleService, { params }: { params: unknown }) => ({ params }),
    ...declaration,
  } as unknown as Parameters<typeof defineOperation>[0])
}

export const sampleOperations: readonly Operation[] = [
  echo({
    id: 'get-samples',
    method: 'GET',
    path: '/samples',
    params: {
      text: Type.Optional(Type.String()),
      count: Type.Optional(Type.Integer()),
      limit: Type.Integer({ default: 10 }),
    },
  }),
  echo({
    id: 'post-sample',
    method: 'POST',
    path: '/samples',
    params: {
      topic: Type.Optional(Type.String({ aliases: ['subject'], trim: true, maxLength: 5 })),
      name: Type.Optional(Type.String({ trim: true, refuseBlank: true })),
      count: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
      big: Type.Optional(Type.Integer()),
      flag: Type.Optional(Type.Boolean()),
      ratio: Type.Optional(Type.Number()),
      ids: Type.Optional(Type.Array(Type.Integer())),
      settings: Type.Optional(
        Type.Object(
          { on: Type.Boolean(), level: Type.Optional(Type.Integer()) },
          { additionalProperties: false },
        ),
      ),
      flags: Type.Optional(Type.Record(Type.String(), Type.Boolean())),
      op: Type.Optional(Type.Union([Type.Literal('add'), Type.Literal('remove')])),
      role: Type.Optional(
        Type.Union([Type.Literal(100), Type.Literal(200)], { invalid: 'listed' }),
      ),
      emojiset: Type.Optional(
        Type.Union([Type.Literal('google'), Type.Literal('text')], { invalid: 'listed' }),
      ),
      folder: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
      note: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      to: Type.Optional(Type.Union([Type.Integer(), Type.String()])),
      to_list: Type.Optional(Type.Union([Type.Array(Type.Integer()), Type.Array(Type.String())])),
      anchor: Type.Optional(Type.Union([Type.Integer(), Type.String()], { encoding: 'raw' })),
      either: Type.Optional(Type.String({ orJson: Type.Array(Type.Integer()) })),
      quoted: Type.Optional(Type.String({ encoding: 'json' })),
      link: Type.Optional(Type.String({ format: 'uri' })),
      day: Type.Optional(Type.String({ format: 'date' })),
      color: Type.Optional(Type.String({ pattern: '^#[0-9a-f]{6}$' })),
      code: Type.Optional(Type.String({ minLength: 4, maxLength: 4 })),
      key: Type.Optional(Type.String({ minLength: 2 })),
      pair: Type.Optional(Type.Tuple([Type.Integer(), Type.String()])),
      anything: Type.Optional(Type.Unknown()),
      small: Type.Optional(Type.Unknown({ maxJsonLength: 10, description: 'Not much.' })),
    },
  }),
  echo({
    id: 'require-two',
    method: 'POST',
    path: '/required',
    params: {
      first: Type.Integer(),
      second: Type.String({ missing: 'Please say which' }),
      third: Type.Optional(Type.Boolean()),
    },
  }),
  echo({
    id: 'patch-sample',
    method: 'PATCH',
    path: '/samples/{sample_id}',
    params: { sample_id: Type.Integer(), text: Type.Optional(Type.String()) },
  }),
  echo({
    id: 'delete-sample',
    method: 'DELETE',
    path: '/samples/{sample_id}',
    params: { sample_id: Type.Integer(), text: Type.Optional(Type.String()) },
  }),
  echo({
    id: 'get-user',
    method: 'GET',
    path: '/people/{user_id}',
    params: { user_id: Type.Integer() },
  }),
  echo({
    id: 'get-user-by-email',
    method: 'GET',
    path: '/people/{email}',
    params: { email: Type.String() },
  }),
  echo({ id: 'get-own-user', method: 'GET', path: '/people/me', params: {} }),
  echo({ id: 'for-humans', method: 'GET', path: '/humans', access: 'human', params: {} }),
  echo({
    id: 'for-non-guests',
    method: 'GET',
    path: '/non-guests',
    access: 'nonGuest',
    params: {},
  }),
  echo({
    id: 'for-human-non-guests',
    method: 'GET',
    path: '/human-non-guests',
    access: 'humanNonGuest',
    params: {},
  }),
  echo({
    id: 'for-administrators',
    method: 'POST',
    path: '/administrators',
    access: 'administrator',
    params: { count: Type.Integer() },
  }),
  echo({ id: 'for-owners', method: 'GET', path: '/owners', access: 'owner', params: {} }),
  echo({
    id: 'for-anyone',
    method: 'GET',
    path: '/anyone',
    access: 'anyone',
    countedByAddress: true,
    params: {},
  }),
  echo({
    id: 'sign-in',
    method: 'POST',
    path: '/sign-in',
    access: 'anyone',
    params: { username: Type.String() },
  }),
  defineOperation({
    id: 'describe-server',
    summary: 'Describes the server.',
    method: 'GET',
    path: '/server',
    access: 'anyone',
    servesUnknownHosts: true,
    params: {},
    response: Type.Object({
      organization: Type.Integer(),
      client: Type.String(),
      chat_url: Type.String(),
    }),
    errors: [],
    service: SampleService,
    handle: (_service, { request }) => ({
      organization: request.organization.id,
      client: request.clientName,
      chat_url: request.chatUrl,
    }),
  }),
  defineOperation({
    id: 'upload-sample',
    summary: 'Takes files.',
    method: 'POST',
    path: '/uploads',
    access: 'user',
    params: { caption: Type.Optional(Type.String()) },
    response: Type.Object({ files: Type.Array(Type.Unknown()), caption: Type.String() }),
    errors: [],
    upload: { maxFileBytes: () => 1000 },
    service: SampleService,
    handle: (_service, { params, request }) => ({
      caption: params.caption ?? '',
      files: request.files.map(({ bytes, ...file }) => ({ ...file, length: bytes.length })),
    }),
  }),
  defineOperation({
    id: 'fail',
    summary: 'Fails with the configured error.',
    method: 'POST',
    path: '/fail',
    access: 'user',
    params: {},
    response: Type.Object({}),
    errors: ['BAD_EVENT_QUEUE_ID'],
    service: SampleService,
    handle(service) {
      throw service.failure
    },
  }),
  echo({
    id: 'delete-view',
    method: 'DELETE',
    path: '/views/{view}',
    params: { view: Type.String({ restOfPath: true }) },
  }),
  defineOperation({
    id: 'answer-otherwise',
    summary: 'Answers something that it does not declare.',
    method: 'GET',
    path: '/otherwise',
    access: 'user',
    params: {},
    response: Type.Object({}),
    errors: [],
    service: SampleService,
    handle: () => ({ surprise: true }),
  }),
  defineOperation({
    id: 'wait',
    summary: 'Holds the request until its client is gone, unless it may not block.',
    method: 'GET',
    path: '/wait',
    access: 'user',
    params: { dont_block: Type.Boolean({ default: false }) },
    response: Type.Object({ events: Type.Array(Type.Unknown()) }),
    errors: ['BAD_EVENT_QUEUE_ID'],
    longPoll: true,
    service: SampleService,
    async handle(service, { params, request }) {
      const json = '{"result":"success","msg":"","events":[]}'
      if (params.dont_block) return new SerializedReply(json, false)
      service.whenHeld((listener) => request.onDisconnect(listener))
      await new Promise<void>((resolve) => request.onDisconnect(resolve))
      return new SerializedReply(Buffer.from(json), true)
    },
  }),
]

export const badQueue = new ChatError('BAD_EVENT_QUEUE_ID', { fields: { queue_id: 'q' } })
