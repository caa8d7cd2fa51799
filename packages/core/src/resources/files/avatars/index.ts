import { defineResource } from '../../../resource-definition/resource.js'
import { readAvatar, readDefaultAvatar, removeAvatar, uploadAvatar } from './avatar-operations.js'

export { AvatarImages, maxAvatarBytes, type AvatarCopies } from './avatar-images.js'

export const avatars = defineResource({
  operations: [uploadAvatar, removeAvatar, readAvatar, readDefaultAvatar],
})
