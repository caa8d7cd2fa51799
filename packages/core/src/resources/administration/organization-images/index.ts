import { defineResource } from '../../../resource-definition/resource.js'
import {
  readRealmImage,
  removeRealmIcon,
  removeRealmLogo,
  uploadRealmIcon,
  uploadRealmLogo,
} from './organization-image-operations.js'

export { imageKeysOf } from './organization-image-service.js'

export const organizationImages = defineResource({
  operations: [uploadRealmIcon, removeRealmIcon, uploadRealmLogo, removeRealmLogo, readRealmImage],
})
