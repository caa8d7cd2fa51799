import { perServer } from '../../../kernel/per-server.js'
import { recordOf, type EventRow, type OrganizationScope } from '../../../storage/index.js'
import { userChanges, viewColumns, type ViewableUser } from '../../people/users/index.js'
import { Changes } from '../../../events/record-kind.js'
import { organizationChanges } from '../../organization/organizations/index.js'
import { profileFieldsChanged } from '../profile-fields/index.js'

/** Changes of something that many user objects contain. */
const changesOfMany = new Changes([profileFieldsChanged, ...organizationChanges])

@perServer()
export class UserListRepository {
  /**
   * The visible columns of every user, ascending by id, in pages: there may be so many that they should
   * not be in memory at once. The next page is read while the caller uses one.
   *
   * @param readMore begins to read further data for the caller, before the next page is read.
   */
  async *viewablePages<More>(
    scope: OrganizationScope,
    pageSize: number,
    readMore: (page: readonly ViewableUser[]) => Promise<More>,
  ): AsyncGenerator<{ readonly rows: readonly ViewableUser[]; readonly more: More }> {
    const after = async (id: number): Promise<ViewableUser[]> => {
      const query = scope.query('users').where('id', '>', id).orderBy('id').limit(pageSize)
      return scope.listRows<ViewableUser>(query, viewColumns)
    }
    for (let next = after(0); ;) {
      const page = await next
      const last = page.length < pageSize ? undefined : page.at(-1)
      const reading = readMore(page)
      if (last !== undefined) {
        next = after(last.id)
        // The caller may end before it gets the error.
        next.catch(() => undefined)
      }
      yield { rows: page, more: await reading }
      if (last === undefined) return
    }
  }

  /**
   * The visible columns of the users whom spectators are shown: the active subscribers of web-public
   * channels, ascending by id.
   *
   * @param userIds limits the result to these users.
   */
  async listSeenBySpectators(
    scope: OrganizationScope,
    userIds: readonly number[] | undefined,
  ): Promise<ViewableUser[]> {
    const subscribers = scope
      .queryAs('subscriptions', 's')
      .join(scope.as('channels', 'c'), 'c.id', 's.channel_id')
      .where({ 'c.is_web_public': true, 'c.is_archived': false })
      .where({ 's.is_active': true, 's.is_user_active': true })
      .select('s.user_id')
    const query = scope.query('users').whereIn('id', subscribers).orderBy('id')
    if (userIds !== undefined) query.whereIn('id', [...userIds])
    return scope.listRows<ViewableUser>(query, viewColumns)
  }

  /** Whether the organization has at least so many users. */
  async hasUsers(scope: OrganizationScope, count: number): Promise<boolean> {
    const last = await scope
      .query('users')
      .orderBy('id')
      .offset(count - 1)
      .first<{ id: number } | undefined>('id')
    return last !== undefined
  }

  /**
   * The users whose objects may have changed between two entries of the log.
   *
   * @returns undefined if all may have.
   */
  async changedUserIds(
    scope: OrganizationScope,
    afterSeq: number,
    untilSeq: number,
  ): Promise<number[] | undefined> {
    const entries = await scope
      .query('events')
      .where('seq', '>', afterSeq)
      .where('seq', '<=', untilSeq)
      .select<{ seq: number; kind: string }[]>('seq', 'kind')
    // Old entries are deleted.
    if (entries.length !== untilSeq - afterSeq) return undefined
    if (entries.some(({ kind }) => changesOfMany.includes(kind))) return undefined
    const others = entries.filter(({ kind }) => userChanges.includes(kind))
    if (others.length === 0) return []
    const rows = await scope
      .query('events')
      .whereIn(
        'seq',
        others.map(({ seq }) => seq),
      )
      .select<EventRow[]>('*')
    const userIds = rows.map((row) => {
      const record = recordOf(scope.organizationId, row)
      return userChanges.idsIn(record, record.recipients.userIds)
    })
    // Every entry about users names them.
    const named = userIds.flatMap((ids) => (ids === 'all' || ids.length === 0 ? [] : [ids]))
    return named.length < userIds.length ? undefined : [...new Set(named.flat())]
  }
}
