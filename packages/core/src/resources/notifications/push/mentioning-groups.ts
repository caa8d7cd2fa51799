import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import { PermissionGroups } from '../../groups/user-groups/index.js'
import { actorOf, type UserRow } from '../../people/users/index.js'
import type { NotificationReason } from '../notified-recipients/index.js'
import type { NotifiableMessage } from './push-notification-repository.js'

/** The users and groups that a rendered message mentions with a notification, in text order. */
export function mentionsIn(html: string): {
  readonly userIds: ReadonlySet<number>
  readonly groupIds: ReadonlySet<number>
} {
  // User input is escaped, so only the renderer creates such elements. Silent mentions look
  // different.
  const idsOf = (pattern: RegExp) =>
    new Set([...html.matchAll(pattern)].map(([, digits]) => Number(digits)))
  return {
    userIds: idsOf(/<span class="user-mention" data-user-id="(\d+)">/g),
    groupIds: idsOf(/<span class="user-group-mention" data-user-group-id="(\d+)">/g),
  }
}

/** The group through which a user was mentioned. */
export interface MentioningGroup {
  readonly id: number
  readonly name: string
}

/** Finds the group through which a message mentions a user. */
@perServer()
export class MentioningGroups {
  constructor(@inject(PermissionGroups) private readonly groups: PermissionGroups) {}

  /** The first such group; undefined if the recipient is mentioned by name, or not at all. */
  async of(news: {
    readonly message: NotifiableMessage
    readonly receiver: UserRow
    readonly trigger: NotificationReason
  }): Promise<MentioningGroup | undefined> {
    const { message, receiver, trigger } = news
    if (trigger !== 'mentioned') return undefined
    const { userIds, groupIds } = mentionsIn(message.rendered_content)
    if (userIds.has(receiver.id) || groupIds.size === 0) return undefined
    const own = await this.groups.groupsOf(actorOf(receiver))
    const id = [...groupIds].find((groupId) => own.has(groupId))
    if (id === undefined) return undefined
    const graph = await this.groups.graph(message.organization_id)
    return { id, name: graph.find(id)?.name ?? '' }
  }
}
