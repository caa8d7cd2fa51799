import { avatarOperations } from './files/avatars/index.js'
import { externalContentOperations } from './files/external-content/index.js'
import { organizationImageOperations } from './administration/organization-images/index.js'
import { uploadOperations } from './files/uploads/index.js'

/** Every operation that serves files for pages, most of them outside of `/api/v1`. */
export const shownFileOperations = [
  ...uploadOperations,
  ...externalContentOperations,
  ...avatarOperations,
  ...organizationImageOperations,
] as const
