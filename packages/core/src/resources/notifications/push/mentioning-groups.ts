import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import { PermissionGroups } from '../../groups/user-groups/index.js'
import { actorOf, type UserRow } from '../../people/users/index.js'
import { mentionsIn } from './mentions-in.js'
import type { NotifiableMessage } from './push-notification-repository.js'
import type { NotificationReason } from '../notified-recipients/index.js'

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
