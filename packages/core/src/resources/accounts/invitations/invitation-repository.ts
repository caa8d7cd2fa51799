import { perServer } from '../../../kernel/per-server.js'
import { afterSealed, sealedPrefix } from '../../../kernel/secret-box.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'
import { invitations, type InvitationRow } from './invitations-table.js'

/** The columns that are cleared when an invitation ends. */
const ended = { email: null, email_key: null, token_sealed: null, due_at_seconds: null }

@perServer()
export class InvitationRepository {
  /**
   * The invitations that users have created and that can still be accepted, those by e-mail first.
   *
   * @param inviterId undefined for those of all users.
   */
  async listPending(
    scope: OrganizationScope,
    now: number,
    inviterId?: number,
  ): Promise<InvitationRow[]> {
    const query = this.#pending(scope, now).whereNull('link_id')
    if (inviterId !== undefined) void query.where({ inviter_id: inviterId })
    return query.orderBy(['is_reusable', 'id']).select('*')
  }

  /** The number of invitations that users have created and that can still be accepted. */
  async countPending(scope: OrganizationScope, now: number): Promise<number> {
    return countOf(
      await this.#pending(scope, now)
        .whereNull('link_id')
        .count('* as rows')
        .first<Aggregate | undefined>(),
    )
  }

  /** The number of mails of invitations that were sent, or sent again, since a point in time. */
  async countMailsSince(scope: OrganizationScope, since: number): Promise<number> {
    const rows = scope.query('invitations').whereNull('link_id')
    return countOf(
      await rows
        .where('invited_at_seconds', '>', since)
        .sum('mail_count as rows')
        .first<Aggregate | undefined>(),
    )
  }

  /** The pending sign-ups through a link. */
  async countSignUps(scope: OrganizationScope, linkId: number, now: number): Promise<number> {
    const rows = this.#pending(scope, now).where({ link_id: linkId })
    return countOf(await rows.count('* as rows').first<Aggregate | undefined>())
  }

  async findSignUp(
    scope: OrganizationScope,
    linkId: number,
    emailKey: string,
    now: number,
  ): Promise<InvitationRow | undefined> {
    return this.#pending(scope, now)
      .where({ link_id: linkId, email_key: emailKey })
      .first<InvitationRow | undefined>()
  }

  /** The ids of the sign-ups through a link that have not ended. */
  async listSignUpIds(scope: OrganizationScope, linkId: number): Promise<number[]> {
    return idsOf(
      await scope
        .query('invitations')
        .where({ link_id: linkId })
        .whereNull('ended_at_seconds')
        .select<{ id: number }[]>('id'),
    )
  }

  /** The invitations of these addresses that have not ended. */
  async listByEmailKeys(
    scope: OrganizationScope,
    emailKeys: readonly string[],
  ): Promise<InvitationRow[]> {
    if (emailKeys.length === 0) return []
    return scope
      .query('invitations')
      .whereIn('email_key', [...emailKeys])
      .whereNull('ended_at_seconds')
      .select('*')
  }

  /**
   * The invitations of a user that have not ended, and the sign-ups through their links.
   *
   * @param strongestRole only those for roles with more permissions than this one.
   */
  async listIdsOfInviter(scope: OrganizationScope, inviterId: number): Promise<number[]> {
    const rows = await scope
      .query('invitations')
      .where({ inviter_id: inviterId })
      .whereNull('ended_at_seconds')
      .select<{ id: number }[]>('id')
    return idsOf(rows)
  }

  /** Ends invitations, and removes the addresses and the tokens from their rows. */
  async end(tx: Transaction, ids: readonly number[], now: number): Promise<void> {
    await tx.rows(invitations).update({ id: ids }, { ...ended, ended_at_seconds: now })
  }

  /** Invitations that ended or expired before a point in time. */
  async listOldIds(scope: OrganizationScope, before: number, limit: number): Promise<number[]> {
    const [byEnd, byExpiry] = await Promise.all(
      (['ended_at_seconds', 'expires_at_seconds'] as const).map((column) =>
        scope
          .query('invitations')
          .where(column, '<', before)
          .limit(limit)
          .select<{ id: number }[]>('id'),
      ),
    )
    return idsOf([...(byEnd ?? []), ...(byExpiry ?? [])])
  }

  /**
   * Invitations whose tokens are encrypted under any other secret than this one, ascending by id.
   *
   * @param afterId the last id of the previous list; 0 for the first list.
   */
  async listSealedByOthers(
    scope: OrganizationScope,
    secretId: string,
    afterId: number,
    limit: number,
  ): Promise<InvitationRow[]> {
    return scope
      .query('invitations')
      .where('id', '>', afterId)
      .where((others) => {
        void others
          .where('token_sealed', '<', sealedPrefix(secretId))
          .orWhere('token_sealed', '>=', afterSealed(secretId))
      })
      .orderBy('id')
      .limit(limit)
      .select('*')
  }

  /** Does nothing if the invitation has another token, or none, meanwhile. */
  async replaceSealed(
    tx: Transaction,
    { id, token_sealed }: Pick<InvitationRow, 'id' | 'token_sealed'>,
    sealed: string | null,
  ): Promise<void> {
    await tx.query('invitations').where({ id, token_sealed }).update({ token_sealed: sealed })
  }

  #pending(scope: OrganizationScope, now: number) {
    return scope
      .query('invitations')
      .whereNull('ended_at_seconds')
      .where((open) => {
        void open.whereNull('expires_at_seconds').orWhere('expires_at_seconds', '>', now)
      })
  }
}

function idsOf(rows: readonly { id: number }[]): number[] {
  return rows.map(({ id }) => id)
}

interface Aggregate {
  rows: number | string | null
}

/** Drivers return the results of aggregates as numbers, texts, or null without rows. */
function countOf(row: Aggregate | undefined): number {
  return Number(row?.rows ?? 0)
}
