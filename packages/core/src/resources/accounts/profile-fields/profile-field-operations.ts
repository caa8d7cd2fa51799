import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineCommand, defineOperation } from '../../../http/operation.js'
import { ProfileField } from './profile-field-schemas.js'
import { ProfileFieldService } from './profile-field-service.js'

/**
 * Larger than the limit for the stored text, because the JSON of the parameter may contain escapes.
 */
const maxFieldDataJsonLength = 400_000

const fieldDataDescription =
  'The options of a list by their keys, or the subtype of an external account.'

export const getCustomProfileFields = defineOperation({
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

export const createCustomProfileField = defineOperation({
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

export const updateCustomProfileField = defineCommand({
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

export const deleteCustomProfileField = defineCommand({
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

export const reorderCustomProfileFields = defineCommand({
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
