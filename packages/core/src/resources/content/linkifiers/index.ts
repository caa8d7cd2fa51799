import { type Static, Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineCommand, defineOperation } from '../../../http/operation.js'
import { closed, FileId } from '../../../resource-definition/file-schemas.js'
import { defineFileSection } from '../../../resource-definition/file-section.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import { Linkifier, linkifiersChanged } from './linkifier-events.js'
import { maxPatternLength, maxTemplateLength, requireUsableLinkifier } from './linkifier-rules.js'
import { LinkifierService } from './linkifier-service.js'
import { linkifiers as table } from './linkifiers-table.js'

export { LinkifierIndex, TopicLinks } from './linkifier-index.js'

const texts = {
  pattern: Type.String({ trim: true, maxLength: maxPatternLength }),
  url_template: Type.String({
    trim: true,
    maxLength: maxTemplateLength,
    description:
      'RFC 6570; the variables are the names of the groups. The scheme must not contain variables and must be one that links in messages may have.',
  }),
}

const getLinkifiers = defineOperation({
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

const addLinkifier = defineOperation({
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

const updateLinkifier = defineCommand({
  id: 'update-linkifier',
  summary: 'Change a linkifier; messages that are already sent do not change.',
  method: 'PATCH',
  path: '/realm/filters/{filter_id}',
  access: 'administrator',
  params: { filter_id: Bounded.id(), ...texts },
  errors: ['BAD_REQUEST', 'VALIDATION_FAILED', 'UNAUTHORIZED_PRINCIPAL'],
  service: LinkifierService,
  handle: (linkifiers, { actor, params }) =>
    linkifiers.update(actor, params.filter_id, params.pattern, params.url_template),
})

const removeLinkifier = defineCommand({
  id: 'remove-linkifier',
  summary: 'Remove a linkifier.',
  method: 'DELETE',
  path: '/realm/filters/{filter_id}',
  access: 'administrator',
  params: { filter_id: Bounded.id() },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  service: LinkifierService,
  handle: (linkifiers, { actor, params }) => linkifiers.remove(actor, params.filter_id),
})

const reorderLinkifiers = defineCommand({
  id: 'reorder-linkifiers',
  summary: 'Change the matching order of the linkifiers.',
  method: 'PATCH',
  path: '/realm/linkifiers',
  access: 'administrator',
  params: { ordered_linkifier_ids: Bounded.ids() },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  service: LinkifierService,
  handle: (linkifiers, { actor, params }) =>
    linkifiers.reorder(actor, params.ordered_linkifier_ids),
})

/** `realm_linkifiers`; empty for clients that do not support URL templates. */
const linkifierSnapshot = defineSnapshot({
  keys: { realm_linkifiers: Type.Array(Linkifier) },
  fetchType: 'realm_linkifiers',
  service: LinkifierService,
  async load(linkifiers, context) {
    const supportsTemplates = context.queue.capabilities.linkifier_url_template === true
    return { realm_linkifiers: supportsTemplates ? await linkifiers.list(context.scope) : [] }
  },
})

const FileLinkifier = Type.Object(
  {
    id: Type.Optional(FileId),
    pattern: Type.String({
      maxLength: maxPatternLength,
      description: 'RE2 syntax with named groups.',
    }),
    url_template: Type.String({
      maxLength: maxTemplateLength,
      description: 'RFC 6570; the variables are the names of the groups.',
    }),
  },
  closed,
)
/** A linkifier of an organization file. */
type FileLinkifier = Static<typeof FileLinkifier>

declare module '../../../resource-definition/file-schemas.js' {
  interface FileLists {
    linkifiers: FileLinkifier
  }
}

const linkifierFile = defineFileSection({
  key: 'linkifiers',
  summary: 'Patterns that are converted to links, in matching order.',
  item: FileLinkifier,
  rowsOf: table,
  rows: () => (item, position) => ({ ...item, position }),
  async check(items, check) {
    const pattern = check.once()
    for await (const { place, item } of items) {
      pattern(`${place}/pattern`, item.pattern)
      check.requireRule(place, () => requireUsableLinkifier(item.pattern, item.url_template))
    }
  },
})

export const linkifiers = defineResource({
  operations: [getLinkifiers, addLinkifier, updateLinkifier, removeLinkifier, reorderLinkifiers],
  events: [linkifiersChanged],
  snapshot: linkifierSnapshot,
  fileSection: linkifierFile,
})
