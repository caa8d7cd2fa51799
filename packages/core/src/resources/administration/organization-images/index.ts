import { Type } from 'typebox'

import { cachedForever, defineCommand, defineOperation } from '../../../http/operation.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { showImage, shownImage } from '../../files/images/index.js'
import { maxImageBytes, OrganizationImageService } from './organization-image-service.js'

export { imageKeysOf } from './organization-image-service.js'

const night = Type.Boolean({ description: 'Whether to use the logo for dark backgrounds.' })
const iconResponse = Type.Object({
  icon_url: Type.String({
    description: "Relative to the organization's URL, or the URL of a gravatar.",
  }),
})

const uploadRealmIcon = defineOperation({
  id: 'upload-realm-icon',
  summary: "Upload the organization's square icon.",
  method: 'POST',
  path: '/realm/icon',
  access: 'administrator',
  params: {},
  response: iconResponse,
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL', 'BAD_IMAGE'],
  service: OrganizationImageService,
  upload: { maxFileBytes: () => maxImageBytes('icon') },
  handle: async (images, { actor, request }) => ({
    icon_url: await images.upload(actor, 'icon', request.files),
  }),
})

const removeRealmIcon = defineOperation({
  id: 'remove-realm-icon',
  summary: "Delete the organization's square icon.",
  method: 'DELETE',
  path: '/realm/icon',
  access: 'administrator',
  params: {},
  response: iconResponse,
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  service: OrganizationImageService,
  handle: async (images, { actor }) => ({ icon_url: await images.remove(actor, 'icon') }),
})

const uploadRealmLogo = defineCommand({
  id: 'upload-realm-logo',
  summary: "Upload one of the organization's wide logos.",
  method: 'POST',
  path: '/realm/logo',
  access: 'administrator',
  params: { night },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL', 'BAD_IMAGE'],
  service: OrganizationImageService,
  upload: { maxFileBytes: () => maxImageBytes('logo') },
  handle: (images, { actor, params, request }) =>
    images.upload(actor, params.night ? 'night_logo' : 'logo', request.files),
})

const removeRealmLogo = defineCommand({
  id: 'remove-realm-logo',
  summary: "Delete one of the organization's wide logos.",
  method: 'DELETE',
  path: '/realm/logo',
  access: 'administrator',
  params: { night },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  service: OrganizationImageService,
  handle: (images, { actor, params }) => images.remove(actor, params.night ? 'night_logo' : 'logo'),
})

const readRealmImage = defineOperation({
  ...shownImage,
  id: 'read-realm-image',
  summary: 'Get an image of the organization. Needs no authentication.',
  path: '/user_avatars/{realm_id}/realm/{file_name}',
  service: OrganizationImageService,
  handle: (images, { params: { realm_id, file_name, version }, request }) =>
    showImage(request, realm_id, (id) => images.image(id, file_name, version), cachedForever),
})

export const organizationImages = defineResource({
  operations: [uploadRealmIcon, removeRealmIcon, uploadRealmLogo, removeRealmLogo, readRealmImage],
})
