import { Type } from 'typebox'

import { Bounded, maxObjects } from '../../../domain/bounded-schemas.js'
import { defineCommand, defineOperation } from '../../../http/operation.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import {
  ProfileField,
  profileFieldsChanged,
  profileFieldTypes,
  ProfileValueItem,
} from './profile-field-events.js'
import { profileFieldFile } from './profile-field-file-section.js'
import { ProfileFieldService } from './profile-field-service.js'
import { StoredProfileValues } from './stored-profile-values.js'

export { FileProfileData } from './profile-field-file-section.js'
export { profileFieldsChanged, ProfileValueItem } from './profile-field-events.js'
export { StoredProfileValues } from './stored-profile-values.js'
export { SyncedProfileValues } from './synced-profile-values.js'

/**
 * Larger than the limit for the stored text, because the JSON of the parameter may contain escapes.
 */
const maxFieldDataJsonLength = 400_000

const fieldDataDescription =
  'The options of a list by their keys, or the subtype of an external account.'

const getCustomProfileFields = defineOperation({
  id: 'get-custom-profile-fields',
  summary: 'List the custom profile fields in display order.',
  method: 'GET',
  path: '/realm/profile_fields',
  access: 'user',
  params: {},
  response: Type.Object({ custom_fields: Type.Array(ProfileField) }),
  errors: [],
  service: ProfileFieldService,
  handle: async (fields, { actor }) => ({ custom_fields: await fields.listFor(actor) }),
})

const createCustomProfileField = defineOperation({
  id: 'create-custom-profile-field',
  summary: 'Create a custom profile field.',
  method: 'POST',
  path: '/realm/profile_fields',
  access: 'administrator',
  params: {
    name: Bounded.name({ default: '', contentKind: 'profileField.name' }),
    hint: Bounded.name({ default: '', contentKind: 'profileField.hint' }),
    field_data: Type.Record(Type.String(), Type.Unknown(), {
      maxJsonLength: maxFieldDataJsonLength,
      contentKind: 'profileField.data',
      default: {},
      description: fieldDataDescription,
    }),
    field_type: Bounded.integer(),
    display_in_profile_summary: Type.Boolean({ default: false }),
    required: Type.Boolean({ default: false }),
    editable_by_user: Type.Boolean({ default: true }),
  },
  response: Type.Object({ id: Type.Integer() }),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  service: ProfileFieldService,
  handle: async (fields, { actor, params }) => ({
    id: await fields.create(actor, {
      type: params.field_type,
      name: params.name,
      hint: params.hint,
      fieldData: params.field_data,
      isInSummary: params.display_in_profile_summary,
      isRequired: params.required,
      isEditableByUser: params.editable_by_user,
    }),
  }),
})

const updateCustomProfileField = defineCommand({
  id: 'update-custom-profile-field',
  summary: 'Change a custom profile field. Its type cannot change.',
  method: 'PATCH',
  path: '/realm/profile_fields/{field_id}',
  access: 'administrator',
  params: {
    field_id: Bounded.id(),
    name: Type.Optional(Bounded.name({ contentKind: 'profileField.name' })),
    hint: Type.Optional(Bounded.name({ contentKind: 'profileField.hint' })),
    field_data: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        maxJsonLength: maxFieldDataJsonLength,
        contentKind: 'profileField.data',
        description: fieldDataDescription,
      }),
    ),
    required: Type.Optional(Type.Boolean()),
    display_in_profile_summary: Type.Optional(Type.Boolean()),
    editable_by_user: Type.Optional(Type.Boolean()),
  },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  service: ProfileFieldService,
  handle: (fields, { actor, params }) =>
    fields.update(actor, params.field_id, {
      name: params.name,
      hint: params.hint,
      fieldData: params.field_data,
      isInSummary: params.display_in_profile_summary,
      isRequired: params.required,
      isEditableByUser: params.editable_by_user,
    }),
})

const deleteCustomProfileField = defineCommand({
  id: 'delete-custom-profile-field',
  summary: "Delete a custom profile field and all users' values.",
  method: 'DELETE',
  path: '/realm/profile_fields/{field_id}',
  access: 'administrator',
  params: { field_id: Bounded.id() },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  service: ProfileFieldService,
  handle: (fields, { actor, params }) => fields.remove(actor, params.field_id),
})

const reorderCustomProfileFields = defineCommand({
  id: 'reorder-custom-profile-fields',
  summary: 'Reorder the custom profile fields.',
  method: 'PATCH',
  path: '/realm/profile_fields',
  access: 'administrator',
  params: {
    order: Bounded.ids({ description: 'The ids of all fields in their new order.' }),
  },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  service: ProfileFieldService,
  handle: (fields, { actor, params }) => fields.reorder(actor, params.order),
})

const updateProfileData = defineCommand({
  id: 'update-profile-data',
  summary: "Set values of the caller's own custom profile fields.",
  method: 'PATCH',
  path: '/users/me/profile_data',
  access: 'human',
  isPersonal: true,
  params: {
    data: Type.Array(ProfileValueItem, {
      maxItems: maxObjects,
      description: 'An empty value removes the current one.',
    }),
  },
  errors: ['BAD_REQUEST'],
  service: StoredProfileValues,
  handle: (values, { actor, params }) => values.changeOwn(actor, params.data),
})

const removeProfileData = defineCommand({
  id: 'remove-profile-data',
  summary: "Remove values of the caller's own custom profile fields.",
  method: 'DELETE',
  path: '/users/me/profile_data',
  access: 'human',
  isPersonal: true,
  params: { data: Bounded.ids({ description: 'The ids of the fields.' }) },
  errors: ['BAD_REQUEST'],
  service: StoredProfileValues,
  handle: (values, { actor, params }) =>
    values.changeOwn(
      actor,
      params.data.map((id) => ({ id, value: null })),
    ),
})

/** The custom profile fields and the available field types. */
const profileFieldSnapshot = defineSnapshot({
  keys: {
    custom_profile_fields: Type.Array(ProfileField),
    custom_profile_field_types: Type.Record(
      Type.String(),
      Type.Object({ id: Type.Integer(), name: Type.String() }),
    ),
  },
  fetchType: 'custom_profile_fields',
  service: ProfileFieldService,
  async load(fields, context) {
    return {
      custom_profile_fields: await fields.list(context.scope),
      custom_profile_field_types: profileFieldTypes,
    }
  },
})

export const profileFields = defineResource({
  operations: [
    getCustomProfileFields,
    createCustomProfileField,
    updateCustomProfileField,
    deleteCustomProfileField,
    reorderCustomProfileFields,
    updateProfileData,
    removeProfileData,
  ],
  events: [profileFieldsChanged],
  snapshot: profileFieldSnapshot,
  fileSection: profileFieldFile,
})
