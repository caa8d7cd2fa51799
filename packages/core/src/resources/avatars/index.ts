export {
  AvatarImages,
  maxAvatarBytes,
  type AvatarCopies,
  type AvatarImage,
} from './avatar-images.js'
export { avatarOperations } from './avatar-operations.js'
