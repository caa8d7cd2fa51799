import { avatarOperations } from './avatars/index.js'
import { externalContentOperations } from './external-content/index.js'
import { organizationImageOperations } from './organization-images/index.js'
import { uploadOperations } from './uploads/index.js'

/** Every operation that serves files for pages, most of them outside of `/api/v1`. */
export const shownFileOperations = [
  ...uploadOperations,
  ...externalContentOperations,
  ...avatarOperations,
  ...organizationImageOperations,
] as const
