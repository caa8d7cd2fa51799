import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineOperation } from '../../../http/operation.js'
import { maxPatternLength, maxTemplateLength } from './linkifier-rules.js'
import { Linkifier } from './linkifier-schemas.js'
import { LinkifierService } from './linkifier-service.js'

const texts = {
  pattern: Type.String({ trim: true, maxLength: maxPatternLength }),
  url_template: Type.String({
    trim: true,
    maxLength: maxTemplateLength,
    description:
      'RFC 6570; the variables are the names of the groups. The scheme must not contain variables and must be one that links in messages may have.',
  }),
}

export const getLinkifiers = defineOperation({
  id: 'get-linkifiers',
  summary: 'List the linkifiers in matching order.',
  method: 'GET',
  path: '/realm/linkifiers',
  access: 'user',
  params: {},
  response: Type.Object({ linkifiers: Type.Array(Linkifier) }),
  errors: [],
  service: LinkifierService,
  handle: async (linkifiers, { actor }) => ({ linkifiers: await linkifiers.listFor(actor) }),
})

export const addLinkifier = defineOperation({
  id: 'add-linkifier',
  summary: 'Add a linkifier, which converts matches of a pattern in messages and topics to links.',
  method: 'POST',
  path: '/realm/filters',
  access: 'administrator',
  params: texts,
  response: Type.Object({ id: Type.Integer() }),
  errors: ['BAD_REQUEST', 'VALIDATION_FAILED', 'UNAUTHORIZED_PRINCIPAL'],
  service: LinkifierService,
  handle: async (linkifiers, { actor, params }) => ({
    id: await linkifiers.add(actor, params.pattern, params.url_template),
  }),
})

export const updateLinkifier = defineOperation({
  id: 'update-linkifier',
  summary: 'Change a linkifier; messages that are already sent do not change.',
  method: 'PATCH',
  path: '/realm/filters/{filter_id}',
  access: 'administrator',
  params: { filter_id: Bounded.id(), ...texts },
  response: Type.Object({}),
  errors: ['BAD_REQUEST', 'VALIDATION_FAILED', 'UNAUTHORIZED_PRINCIPAL'],
  service: LinkifierService,
  async handle(linkifiers, { actor, params }) {
    await linkifiers.update(actor, params.filter_id, params.pattern, params.url_template)
    return {}
  },
})

export const removeLinkifier = defineOperation({
  id: 'remove-linkifier',
  summary: 'Remove a linkifier.',
  method: 'DELETE',
  path: '/realm/filters/{filter_id}',
  access: 'administrator',
  params: { filter_id: Bounded.id() },
  response: Type.Object({}),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  service: LinkifierService,
  async handle(linkifiers, { actor, params }) {
    await linkifiers.remove(actor, params.filter_id)
    return {}
  },
})

export const reorderLinkifiers = defineOperation({
  id: 'reorder-linkifiers',
  summary: 'Change the matching order of the linkifiers.',
  method: 'PATCH',
  path: '/realm/linkifiers',
  access: 'administrator',
  params: { ordered_linkifier_ids: Bounded.ids() },
  response: Type.Object({}),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  service: LinkifierService,
  async handle(linkifiers, { actor, params }) {
    await linkifiers.reorder(actor, params.ordered_linkifier_ids)
    return {}
  },
})
