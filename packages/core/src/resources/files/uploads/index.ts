import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import type { Actor } from '../../../domain/users/actor.js'
import { defineOperation, FileReply, type RequestFacts } from '../../../http/operation.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { FileReading, type FileVisitor, pageSeconds, type ServedFile } from './file-reading.js'
import { type ReceivedUpload, UploadService } from './upload-service.js'

export { UploadService } from './upload-service.js'

const uploadFile = defineOperation({
  id: 'upload-file',
  summary: 'Upload a file. Other users can read it once a message links to it.',
  method: 'POST',
  path: '/user_uploads',
  access: 'user',
  params: {},
  response: Type.Object({
    uri: Type.String({ description: 'The same as `url`.' }),
    url: Type.String({ description: "Relative to the organization's URL." }),
    filename: Type.String({ description: 'File name for the text of a link.' }),
  }),
  errors: ['BAD_REQUEST', 'REALM_UPLOAD_QUOTA'],
  service: UploadService,
  upload: {
    maxFileBytes: (uploads) => uploads.maxFileBytes,
    receive: (uploads, file, organizationId) => uploads.receive(organizationId, file),
    // The result of `receive`.
    abandon: (uploads, received) => uploads.abandon(received as ReceivedUpload),
    tooLarge: (uploads) => uploads.tooLarge(),
  },
  handle(uploads, { actor, request: { files } }) {
    const received = files.find((file) => file.received !== undefined)?.received
    // The result of `receive` for the streamed file.
    return uploads.upload(actor, received as ReceivedUpload | undefined, files.length)
  },
})

const pathParameters = {
  realm_id_str: Bounded.id(),
  filename: Bounded.name({ restOfPath: true }),
}

/** Common parts of the operations that serve files to users who can access them. */
const fileForVisitors = {
  method: 'GET',
  isAtRoot: true,
  access: 'visitor',
  visitorLimit: 'fileReadByFile',
  mediaType: '*/*',
  otherStatuses: [206, 416],
  params: pathParameters,
  response: Type.Object({}),
  errors: ['ROUTE_NOT_FOUND', 'FILE_NOT_ACCESSIBLE'],
  service: FileReading,
} as const

const getFileTemporaryUrl = defineOperation({
  id: 'get-file-temporary-url',
  summary: 'Get a URL at which anyone can read an uploaded file for a minute.',
  method: 'GET',
  path: '/user_uploads/{realm_id_str}/{filename}',
  access: 'user',
  params: pathParameters,
  response: Type.Object({ url: Type.String() }),
  errors: ['ROUTE_NOT_FOUND', 'FILE_NOT_ACCESSIBLE'],
  service: FileReading,
  handle: async (files, { actor, params, request }) => ({
    url: await files.temporaryUrl(visitorOf(actor, request), pathIdIn(params)),
  }),
})

/** More than the pictures of the messages that a client shows at once. */
const maxPaths = 500

const getFileTemporaryUrls = defineOperation({
  id: 'get-file-temporary-urls',
  summary:
    'Get URLs at which anyone can read uploaded files and thumbnails for ten minutes, for the pictures of a page.',
  method: 'POST',
  path: '/user_uploads/temporary_urls',
  access: 'user',
  params: {
    paths: Bounded.names({
      maxItems: maxPaths,
      description:
        'Addresses of uploads and of their thumbnails, as they are in the HTML of messages.',
    }),
  },
  response: Type.Object({
    urls: Type.Record(Type.String(), Type.String(), {
      description: 'By path; without those that the caller cannot read.',
    }),
    validity_seconds: Type.Integer(),
  }),
  errors: [],
  service: FileReading,
  handle: async (files, { actor, params }) => ({
    urls: Object.fromEntries(await files.temporaryUrls(actor, params.paths)),
    validity_seconds: pageSeconds,
  }),
})

const readFile = defineOperation({
  ...fileForVisitors,
  id: 'read-file',
  summary: 'Get an uploaded file. For users who can access a message that links to it.',
  path: '/user_uploads/{realm_id_str}/{filename}',
  async handle(files, { actor, params, request }) {
    return replyOf(await files.file(visitorOf(actor, request), pathIdIn(params)))
  },
})

const readThumbnail = defineOperation({
  ...fileForVisitors,
  id: 'read-thumbnail',
  summary: 'Get a thumbnail of an uploaded image. For users who can access the image.',
  path: '/user_uploads/thumbnail/{realm_id_str}/{filename}',
  async handle(files, { actor, params, request }) {
    return replyOf(await files.thumbnail(visitorOf(actor, request), pathIdIn(params)))
  },
})

const readTemporaryFile = defineOperation({
  id: 'read-temporary-file',
  summary: 'Get an uploaded file at a temporary URL. Needs no authentication.',
  method: 'GET',
  isAtRoot: true,
  path: '/user_uploads/temporary/{token}/{filename}',
  access: 'anyone',
  mediaType: '*/*',
  otherStatuses: [206, 416],
  params: { token: Bounded.name(), filename: Bounded.name() },
  response: Type.Object({}),
  errors: ['BAD_REQUEST', 'ROUTE_NOT_FOUND'],
  service: FileReading,
  async handle(files, { params, request }) {
    const visitor = visitorOf(undefined, request)
    return replyOf(await files.temporary(visitor, params.token, params.filename))
  },
})

function pathIdIn(params: { readonly realm_id_str: number; readonly filename: string }): string {
  return `${params.realm_id_str}/${params.filename}`
}

function visitorOf(actor: Actor | undefined, request: RequestFacts): FileVisitor {
  return { organization: request.organization, actor, range: request.range }
}

function replyOf({ content, contentType, status, headers }: ServedFile): FileReply {
  return new FileReply(content, contentType, { status, headers })
}

export const uploads = defineResource({
  operations: [
    uploadFile,
    getFileTemporaryUrl,
    getFileTemporaryUrls,
    readFile,
    readThumbnail,
    readTemporaryFile,
  ],
})
