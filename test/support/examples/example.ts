import type { AuditAction } from '@parley/core'

import type { Answer, Client } from '../client.js'
import type { HostCase, HostOptions } from '../host.js'

/** One user of each role, owner first, and a bot. */
export const roles = ['olga', 'adam', 'mona', 'alice', 'gus', 'bot'] as const

/** The reasons of rejections, with the response. */
export const refusals = {
  owners: [400, 'UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner'],
  administrators: [400, 'UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator'],
  channelAdministrators: [
    400,
    'BAD_REQUEST',
    'You do not have permission to administer this channel.',
  ],
  notVisible: [400, 'BAD_REQUEST', 'Invalid channel ID'],
  noCreator: [400, 'BAD_REQUEST', 'User not authorized to create users'],
  noAddresses: [400, 'BAD_REQUEST', 'User not authorized to change user emails'],
  notPermitted: [400, 'BAD_REQUEST', 'Insufficient permission'],
  noGuests: [400, 'BAD_REQUEST', 'Not allowed for guest users'],
  noBots: [400, 'BAD_REQUEST', 'This endpoint does not accept bot requests.'],
  noInvitation: [400, 'BAD_REQUEST', 'No such invitation'],
  notAuthor: [400, 'BAD_REQUEST', 'Must be an organization administrator or emoji author'],
  anonymous: [401, 'UNAUTHORIZED', 'Not logged in: API authentication or user session required'],
  deactivated: [401, 'USER_DEACTIVATED', 'Account is deactivated'],
  hook: [401, 'UNAUTHORIZED', 'This API is not available to incoming webhook bots.'],
} as const
type Reason = keyof typeof refusals

/** A call that succeeds for callers with permission; its request is the last one of `by`. */
export type Call = (at: HostCase, by: Client) => Promise<Answer>

export type Refused = Partial<
  Record<(typeof roles)[number] | 'nobody' | 'dora' | 'hook', Reason | 'nothing'>
>

/** A call and the callers who have no permission for it, with the reasons. */
export interface PermittedCall {
  readonly call: Call
  /** Callers without an active account and webhooks are refused unless it says `nothing`. */
  readonly refused?: Refused
}

/** How an operation is called. It can be called again, by anybody with permission. */
export interface Example extends PermittedCall {
  /**
   * What the call adds to the audit trail, in this order, or why nothing. Operations that change
   * something say it.
   */
  readonly audited?: readonly AuditAction[] | string
  /** Calls for which other callers have permission. */
  readonly others?: readonly PermittedCall[]
  /** Options without which the server refuses the call. */
  readonly server?: HostOptions
}

/** By the ids of operations. */
export type Examples = Readonly<Record<string, Example>>

type Members = Readonly<Record<'alice' | 'olga', Client>>

/** Who calls in tests about other things: a member, or the owner if members have no permission. */
export const callerOf = ({ refused }: Example, { alice, olga }: Members): Client =>
  refused?.alice === undefined ? alice : olga

let count = 0
/** A number that no call has had. */
export const unusedNumber = (): number => (count += 1)
/** A name that no call has had. */
export const unused = (word: string): string => `${word}${unusedNumber()}`

/** Callers without permission, named after those who have it. */
const belowAdministrators = <R extends Reason>(reason: R) => ({
  mona: reason,
  alice: reason,
  gus: reason,
  bot: reason,
})
export const administrators = belowAdministrators('administrators')
export const owners = { ...belowAdministrators('owners'), adam: 'owners' } as const
export const notPermitted = belowAdministrators('notPermitted')
export const humans = { bot: 'noBots' } as const
export const members = { gus: 'noGuests', bot: 'noBots' } as const
/** Nobody is refused, not even callers without an account. */
export const everyone = { nobody: 'nothing', dora: 'nothing', hook: 'nothing' } as const

/** Why calls add nothing to the audit trail. */
export const content = 'changes what users have written; messages have an edit history'
export const own = 'changes what a user keeps or sets for themselves'
export const reading = "changes the caller's own reading state"
export const devices = "changes the caller's own devices"
export const connection = "changes the caller's own connections"
export const nothing = 'changes nothing'
