import type { Registration, ServerEvent } from '@parley/client'

import { includesMember } from '../groups/permission.js'
import type { Session } from '../session/session.js'

export type Bot = NonNullable<Registration['realm_bots']>[number]

export const generic = 1
export const incoming = 2
export const outgoing = 3

/** Bots by id, after an event. */
export function botsAfter(
  bots: ReadonlyMap<number, Bot>,
  event: ServerEvent,
): ReadonlyMap<number, Bot> {
  if (event.type !== 'realm_bot') return bots
  const next = new Map(bots)
  const { user_id: id } = event.bot
  if (event.op === 'add') next.set(id, event.bot)
  else if (event.op === 'delete') next.delete(id)
  else {
    const bot = bots.get(id)
    // Undefined values have not changed.
    if (bot !== undefined) next.set(id, Object.assign({ ...bot }, event.bot))
  }
  return next
}

export function mayCreateBots({ state }: Session): boolean {
  return includesMember(state.organization.realm_can_create_bots_group, state)
}

/** The kinds of bots that the user may create. */
export function creatableTypes(session: Session): number[] {
  const { state } = session
  if (mayCreateBots(session)) return [generic, incoming, outgoing]
  return includesMember(state.organization.realm_can_create_write_only_bots_group, state)
    ? [incoming]
    : []
}
