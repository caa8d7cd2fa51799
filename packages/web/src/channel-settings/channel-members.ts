import type { ChannelState, User, UserGroup } from '@parley/client'
import { html, nothing, type TemplateResult } from 'lit'

import '../groups/add-members.js'
import { groupTexts } from '../groups/group-texts.js'
import '../groups/member-list.js'
import type { Member } from '../groups/member-list.js'
import { usersOf, type Chosen } from '../groups/permission.js'
import type { Session } from '../session/session.js'
import { ask } from '../view/ask.js'
import { define } from '../view/view.js'
import { ChannelSection } from './channel-section.js'
import { channelTexts } from './channel-texts.js'
import type { ChannelRights } from './rights.js'

/** The subscribers of a channel. */
class ChannelMembers extends ChannelSection {
  protected override section(
    channel: ChannelState,
    rights: ChannelRights,
    session: Session,
  ): TemplateResult {
    const { subscribers, subscriber_count, is_archived } = channel
    const isHidden = subscribers.length === 0 && subscriber_count > 0
    const { user_id: ownId } = session.state.me
    const present = new Set(subscribers)
    return html`<div class="settings-body">
        ${
          rights.addsOthers && !is_archived
            ? html`<parley-add-members
                .session=${session}
                .label=${groupTexts.addMembers}
                .offersUser=${({ user_id }: User) => !present.has(user_id)}
                .offersGroup=${(group: UserGroup) =>
                  usersOf({ users: [], groups: [group.id] }, session.state).length > 0}
                .add=${(chosen: Chosen) => this.#add(channel, chosen, session)}
                .report=${(note: string) => (this.note = note)}
              ></parley-add-members>`
            : nothing
        }
        <h3 tabindex="-1">${channelTexts.subscribers}: ${subscriber_count}</h3>
        ${
          isHidden
            ? html`<p class="quiet-text">${channelTexts.hidden}</p>`
            : html`<parley-members
                .session=${session}
                .label=${channelTexts.subscribers}
                .members=${{ users: subscribers, groups: [] }}
                .mayRemove=${({ id }: Member) => rights.removesOthers || id === ownId}
                .removeMember=${(member: Member, button: HTMLElement) =>
                  this.#remove(channel, member, button)}
              ></parley-members>`
        }
      </div>
      ${this.status()}`
  }

  async #add({ name, subscribers }: ChannelState, chosen: Chosen, session: Session): Promise<void> {
    const present = new Set(subscribers)
    const principals = usersOf(chosen, session.state).filter((id) => !present.has(id))
    // All members of the groups are subscribed already.
    if (principals.length === 0) return
    await session.client.api.subscribe({ subscriptions: [{ name }], principals })
  }

  async #remove(
    { name, invite_only }: ChannelState,
    member: Member,
    button: HTMLElement,
  ): Promise<void> {
    const { session } = this
    if (session === undefined) return
    const isMe = member.id === session.state.me.user_id
    if (
      isMe &&
      invite_only &&
      !(await ask(button, channelTexts.leaveQuestion(name), channelTexts.leave))
    ) {
      return
    }
    await this.act(
      () =>
        session.client.api.unsubscribe({
          subscriptions: [name],
          ...(!isMe && { principals: [member.id] }),
        }),
      groupTexts.removed(member.name),
      (reason) => groupTexts.notRemoved(member.name, reason),
    )
  }
}

define('parley-channel-members', ChannelMembers)
