export { AvatarImages, maxAvatarBytes, type AvatarCopies } from './avatar-images.js'
export { avatarOperations } from './avatar-operations.js'
