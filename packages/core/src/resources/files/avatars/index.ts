import { defineResource } from '../../../resource-definition/resource.js'
import { readAvatar, readDefaultAvatar, removeAvatar, uploadAvatar } from './avatar-operations.js'

export {
  AvatarImages,
  avatarKeyOf,
  avatarKeysOf,
  maxAvatarBytes,
  type AvatarCopies,
} from './avatar-images.js'
export { ReplacedAvatars } from './replaced-avatars.js'

export const avatars = defineResource({
  operations: [uploadAvatar, removeAvatar, readAvatar, readDefaultAvatar],
})
