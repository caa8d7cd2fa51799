import { inject } from 'tsyringe'

import type { Role } from '../../../domain/users/actor.js'
import { isSystemBotId } from '../../../domain/users/system-bots.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import type { Transaction } from '../../../storage/index.js'
import {
  BotManagerRepository,
  type AccountStep,
  type Joining,
  type NewcomerStep,
  type UserRow,
} from '../../people/users/index.js'
import { invitesChanged } from './invitation-events.js'
import { InvitationRepository } from './invitation-repository.js'
import type { InvitationRow } from './invitations-table.js'

/**
 * Ends invitations, and sends events about them. An invitation ends when it is used or revoked, when
 * its address gets an account in another way, and when its inviter is deactivated or may no longer
 * invite to its role.
 */
@perServer()
export class InvitationChanges implements AccountStep, NewcomerStep {
  constructor(
    @inject(InvitationRepository) private readonly invitations: InvitationRepository,
    @inject(BotManagerRepository) private readonly managers: BotManagerRepository,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /** Ends invitations, and the sign-ups through those that are links. */
  async end(
    tx: Transaction,
    ended: readonly Pick<InvitationRow, 'id' | 'inviter_id' | 'is_reusable'>[],
  ): Promise<void> {
    const ids = new Set(ended.map(({ id }) => id))
    for (const { id, is_reusable } of ended) {
      if (!is_reusable) continue
      for (const signUpId of await this.invitations.listSignUpIds(tx, id)) ids.add(signUpId)
    }
    await this.invitations.end(tx, [...ids], nowSeconds(this.clock))
    const inviterIds = ended.map(({ inviter_id }) => inviter_id)
    await this.announce(tx, inviterIds)
  }

  /** Sends the event to administrators, and to the creators of the invitations. */
  async announce(tx: Transaction, inviterIds: readonly number[]): Promise<void> {
    const administrators = await this.managers.listAdministrators(tx)
    const inviters = inviterIds.filter((id) => !isSystemBotId(id))
    tx.emit(invitesChanged({ userIds: [...new Set([...administrators, ...inviters])] }, {}))
  }

  async welcome(tx: Transaction, users: readonly UserRow[], joining?: Joining): Promise<void> {
    const emailKeys = users.filter(({ is_bot }) => !is_bot).map(({ email_key }) => email_key)
    const ofAddresses = await this.invitations.listByEmailKeys(tx, emailKeys)
    const used = new Set(ofAddresses.map(({ id }) => id))
    if (joining?.isUsedUp === true) used.add(joining.invitationId)
    await this.invitations.end(tx, [...used], nowSeconds(this.clock))
    const inviterIds = ofAddresses.map(({ inviter_id }) => inviter_id)
    if (joining !== undefined) inviterIds.push(joining.inviterId)
    if (inviterIds.length > 0) await this.announce(tx, inviterIds)
  }

  async afterDeactivate(tx: Transaction, user: UserRow): Promise<void> {
    await this.#endOf(tx, user)
  }

  async roleChanged(tx: Transaction, user: UserRow, oldRole: Role): Promise<void> {
    if (user.role <= oldRole) return
    await this.#endOf(tx, user)
  }

  async #endOf(tx: Transaction, user: UserRow): Promise<void> {
    if (user.is_bot) return
    const ids = await this.invitations.listIdsOfInviter(tx, user.id)
    if (ids.length === 0) return
    await this.invitations.end(tx, ids, nowSeconds(this.clock))
    await this.announce(tx, user.is_active ? [user.id] : [])
  }
}
