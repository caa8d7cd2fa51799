import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { ChatError } from '../../../errors/index.js'
import { cachedForever, defineOperation, FileReply } from '../../../http/operation.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { showImage, shownImage } from '../images/index.js'
import { maxAvatarBytes } from './avatar-images.js'
import { AvatarService } from './avatar-service.js'

export {
  AvatarImages,
  avatarKeyOf,
  avatarKeysOf,
  maxAvatarBytes,
  type AvatarCopies,
} from './avatar-images.js'
export { ReplacedAvatars } from './replaced-avatars.js'

/** A removed picture expires from caches within a day. */
const privateCaching = { 'Cache-Control': 'private, max-age=86400' }

const response = Type.Object({
  avatar_url: Type.String({
    description: "Relative to the organization's address, or a Gravatar address.",
  }),
})

const uploadAvatar = defineOperation({
  id: 'upload-avatar',
  summary: "Replace the caller's picture.",
  method: 'POST',
  path: '/users/me/avatar',
  access: 'user',
  isPersonal: true,
  params: {},
  response,
  errors: ['BAD_REQUEST', 'BAD_IMAGE'],
  service: AvatarService,
  upload: { maxFileBytes: () => maxAvatarBytes },
  handle: async (avatars, { actor, request }) => ({
    avatar_url: await avatars.upload(actor, request.files),
  }),
})

const removeAvatar = defineOperation({
  id: 'remove-avatar',
  summary: "Remove the caller's picture.",
  method: 'DELETE',
  path: '/users/me/avatar',
  access: 'user',
  isPersonal: true,
  params: {},
  response,
  errors: ['BAD_REQUEST'],
  service: AvatarService,
  handle: async (avatars, { actor }) => ({ avatar_url: await avatars.remove(actor) }),
})

const readAvatar = defineOperation({
  ...shownImage,
  id: 'read-avatar',
  summary: "Get a user's picture; requires no authentication.",
  path: '/user_avatars/{realm_id}/{file_name}',
  service: AvatarService,
  handle: (avatars, { params: { realm_id, file_name, version }, request }) =>
    showImage(request, realm_id, (id) => avatars.image(id, file_name, version), privateCaching),
})

const readDefaultAvatar = defineOperation({
  id: 'read-default-avatar',
  summary: 'Get the picture of a user who has not uploaded one; the server generates it.',
  method: 'GET',
  isAtRoot: true,
  path: '/user_avatars/default/{file_name}',
  access: 'anyone',
  mediaType: 'image/png',
  params: { file_name: Bounded.name(), version: Bounded.integer({ default: 0 }) },
  response: Type.Object({}),
  errors: ['ROUTE_NOT_FOUND'],
  service: AvatarService,
  async handle(avatars, { params }) {
    const content = avatars.drawn(params.file_name)
    if (content === undefined) throw new ChatError('ROUTE_NOT_FOUND')
    return new FileReply(content, 'image/png', { headers: cachedForever })
  },
})

export const avatars = defineResource({
  operations: [uploadAvatar, removeAvatar, readAvatar, readDefaultAvatar],
})
