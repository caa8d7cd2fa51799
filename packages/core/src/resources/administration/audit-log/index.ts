import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import {
  auditActions,
  auditActorTypes,
  auditObjectTypes,
} from '../../../domain/organizations/audit-actions.js'
import { defineOperation } from '../../../http/operation.js'
import { keysOf } from '../../../kernel/objects.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { AuditLog, type AuditLogEntry } from './audit-log.js'
import { AuditRetention } from './audit-retention.js'

export { AuditLog, type AuditLogEntry, type AuditOptions } from './audit-log.js'

const maxEntries = 1000
const defaultEntries = 100
const actionNames = keysOf(auditActions)

/** One of the names; typed, because a union of a list that is computed is not. */
function oneOf<const Name extends string>(names: readonly Name[], description?: string) {
  const literals = names.map((name) => Type.Literal(name))
  return Type.Unsafe<Name>(Type.Union(literals, description === undefined ? {} : { description }))
}

const Action = oneOf(actionNames)
const NullableId = Type.Union([Type.Integer(), Type.Null()])
const NullableText = Type.Union([Type.String(), Type.Null()])

const Entry = Type.Object({
  id: Type.Integer(),
  timestamp: Type.Integer({ description: 'UNIX seconds.' }),
  action: Action,
  actor_type: oneOf(auditActorTypes),
  actor_id: NullableId,
  actor_external_id: NullableText,
  object_type: oneOf(auditObjectTypes),
  object_id: NullableId,
  user_id: Type.Union([Type.Integer(), Type.Null()], {
    description: 'The user whom the change concerns.',
  }),
  user_external_id: NullableText,
  changes: Type.Record(
    Type.String(),
    Type.Object({ old: Type.Optional(Type.Unknown()), new: Type.Optional(Type.Unknown()) }),
    { description: 'The values of the changed properties.' },
  ),
  via: oneOf(['http', 'process']),
  client_address: NullableText,
  client_name: NullableText,
})

const getAuditLog = defineOperation({
  id: 'get-audit-log',
  summary: 'Get the audit trail of the organization: who changed what, newest first.',
  method: 'GET',
  path: '/audit_log',
  access: 'owner',
  params: {
    actions: Type.Optional(
      Type.Array(Action, {
        maxItems: actionNames.length,
        description: 'Only these actions, such as `user.role_changed`.',
      }),
    ),
    actor_type: Type.Optional(
      oneOf(auditActorTypes, 'Only changes by users, by the application, or by the chat itself.'),
    ),
    actor_id: Type.Optional(Bounded.id({ description: 'Only changes by this user.' })),
    object_type: Type.Optional(oneOf(auditObjectTypes, 'Only changes of objects of this type.')),
    object_id: Type.Optional(
      Bounded.id({ description: 'Only changes of objects with this id; use with `object_type`.' }),
    ),
    user_id: Type.Optional(Bounded.id({ description: 'Only changes that concern this user.' })),
    since: Type.Optional(Bounded.seconds({ description: 'UNIX seconds, inclusive.' })),
    until: Type.Optional(Bounded.seconds({ description: 'UNIX seconds, exclusive.' })),
    before_id: Type.Optional(
      Bounded.id({ description: 'Only entries with lower ids: the last one of the page before.' }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxEntries,
        description: `Maximum number of entries; by default ${defaultEntries}.`,
      }),
    ),
  },
  response: Type.Object({
    entries: Type.Array(Entry),
    found_oldest: Type.Boolean({ description: 'Whether there are no older entries.' }),
  }),
  errors: [],
  service: AuditLog,
  async handle(log, { actor, params }) {
    const { before_id, limit = defaultEntries } = params
    const filter = {
      actions: params.actions,
      actorType: params.actor_type,
      actorId: params.actor_id,
      objectType: params.object_type,
      objectId: params.object_id,
      userId: params.user_id,
      sinceSeconds: params.since,
      untilSeconds: params.until,
    }
    const found = await log.listFor(actor, filter, before_id, limit + 1)
    return {
      entries: found.slice(0, limit).map(wireEntry),
      found_oldest: found.length <= limit,
    }
  },
})

function wireEntry(entry: AuditLogEntry) {
  return {
    id: entry.id,
    timestamp: entry.createdAtSeconds,
    action: entry.action,
    actor_type: entry.actorType,
    actor_id: entry.actorId,
    actor_external_id: entry.actorExternalId,
    object_type: entry.objectType,
    object_id: entry.objectId,
    user_id: entry.userId,
    user_external_id: entry.userExternalId,
    changes: entry.changes,
    via: entry.via,
    client_address: entry.clientAddress,
    client_name: entry.clientName,
  }
}

export const auditLog = defineResource({
  operations: [getAuditLog],
  backgroundWork: [AuditRetention],
})
