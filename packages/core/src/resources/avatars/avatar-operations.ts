import { Type } from 'typebox'

import { ChatError } from '../../errors/index.js'
import { defineOperation, FileReply } from '../../http/operation.js'
import { maxAvatarBytes } from './avatar-images.js'
import { AvatarService } from './avatar-service.js'

const response = Type.Object({
  avatar_url: Type.String({
    description: "Relative to the organization's address, or a gravatar.",
  }),
})

export const uploadAvatar = defineOperation({
  id: 'upload-avatar',
  summary: 'Give oneself another picture.',
  method: 'POST',
  path: '/users/me/avatar',
  access: 'user',
  params: {},
  response,
  errors: ['BAD_REQUEST', 'BAD_IMAGE'],
  service: AvatarService,
  upload: { maxFileBytes: () => maxAvatarBytes },
  handle: async (avatars, { actor, request }) => ({
    avatar_url: await avatars.upload(actor, request.files),
  }),
})

export const removeAvatar = defineOperation({
  id: 'remove-avatar',
  summary: "Take one's own picture away; the gravatar stands in.",
  method: 'DELETE',
  path: '/users/me/avatar',
  access: 'user',
  params: {},
  response,
  errors: ['BAD_REQUEST'],
  service: AvatarService,
  handle: async (avatars, { actor }) => ({ avatar_url: await avatars.remove(actor) }),
})

export const readAvatar = defineOperation({
  id: 'read-avatar',
  summary: "A user's picture, for anyone who knows its address.",
  method: 'GET',
  isAtRoot: true,
  path: '/user_avatars/{realm_id}/{file_name}',
  access: 'anyone',
  undocumented: true,
  params: {
    realm_id: Type.Integer(),
    file_name: Type.String(),
    version: Type.Integer({ default: 0 }),
  },
  response: Type.Object({}),
  errors: ['ROUTE_NOT_FOUND'],
  service: AvatarService,
  async handle(avatars, { params, request: { organization } }) {
    const isOwn = params.realm_id === organization.id && !organization.isDeactivated
    const image = isOwn
      ? await avatars.image(organization.id, params.file_name, params.version)
      : undefined
    if (image === undefined) throw new ChatError('ROUTE_NOT_FOUND')
    return new FileReply(image.content, image.contentType)
  },
})

/** Every operation on the pictures of users. */
export const avatarOperations = [uploadAvatar, removeAvatar, readAvatar] as const
