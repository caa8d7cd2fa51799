import type { User, UserGroup } from '@parley/client'
import { html, nothing, type TemplateResult } from 'lit'

import { followState } from '../session/follow-state.js'
import type { Session } from '../session/session.js'
import { ask } from '../view/ask.js'
import { define } from '../view/view.js'
import './add-members.js'
import { groupUses } from './group-uses.js'
import { groupTexts } from './group-texts.js'
import { ManageSection, readOnly } from './manage-section.js'
import './member-list.js'
import type { Member } from './member-list.js'
import { containsGroup, type Chosen } from './permission.js'
import './permissions.js'
import type { PermissionChange, PermissionField } from './permissions.js'
import { groupRights, type GroupRights } from './rights.js'

type Permission = keyof typeof groupTexts.permissionLabels

const maxName = 100
const maxDescription = 1024

/** A user group. */
class GroupPage extends ManageSection {
  static override properties = {
    ...ManageSection.properties,
    groupId: { attribute: false },
    back: { attribute: false },
  }
  declare groupId: number
  declare back: () => void

  constructor() {
    super()
    followState(this, ({ groups }) => groups)
  }

  protected override firstUpdated(): void {
    this.querySelector('h3')?.focus()
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session } = this
    if (session === undefined) return nothing
    const group = session.state.groups.get(this.groupId)
    return html`<div class="settings-body">
        <button class="plain" type="button" @click=${() => this.back()}>${groupTexts.back}</button>
        ${
          group === undefined
            ? html`<p role="status">${groupTexts.gone}</p>`
            : this.#group(group, groupRights(group, session.state), session)
        }
      </div>
      ${this.status()}`
  }

  #group(group: UserGroup, rights: GroupRights, session: Session): TemplateResult {
    const { name, deactivated } = group
    const report = (note: string): void => {
      this.note = note
    }
    return html`<h3 tabindex="-1" dir="auto">${name}</h3>
      ${deactivated ? html`<p class="quiet-text">${groupTexts.deactivated}</p>` : nothing}
      ${this.#texts(group, rights)} ${this.#own(group, rights, session)}
      <fieldset>
        <legend>${groupTexts.memberList}</legend>
        ${
          rights.addsMembers
            ? html`<parley-add-members
                .session=${session}
                .label=${deactivated ? groupTexts.addPeople : groupTexts.addMembers}
                .offersUser=${({ user_id }: User) => !group.members.includes(user_id)}
                .offersGroup=${(other: UserGroup) => this.#mayContain(group, other, session)}
                .add=${({ users, groups }: Chosen) =>
                  this.#change({ add: users, add_subgroups: groups })}
                .report=${report}
              ></parley-add-members>`
            : nothing
        }
        <parley-members
          .session=${session}
          .label=${groupTexts.memberList}
          .members=${{ users: group.members, groups: group.direct_subgroup_ids }}
          .mayRemove=${({ kind, id }: Member) =>
            kind === 'groups'
              ? rights.manages && !deactivated
              : rights.removesMembers || (rights.leaves && id === session.state.me.user_id)}
          .removeMember=${(member: Member) => void this.#remove(member)}
        ></parley-members>
      </fieldset>
      <parley-permissions
        .session=${session}
        .heading=${groupTexts.permissions}
        .fields=${permissionFields(group, rights, session)}
        .change=${(setting: string, values: PermissionChange) =>
          session.client.api.updateUserGroup({ user_group_id: group.id, [setting]: values })}
        .report=${report}
      ></parley-permissions>
      ${rights.manages ? this.#state(group, session) : nothing}`
  }

  #texts(group: UserGroup, rights: GroupRights): TemplateResult {
    const { id: user_group_id, name, description } = group
    if (!rights.manages) {
      return readOnly(groupTexts.description, description || groupTexts.noDescription)
    }
    const save = async (change: { name?: string; description?: string }): Promise<void> => {
      await this.session?.client.api.updateUserGroup({ user_group_id, ...change })
    }
    return html`${this.savedText({
      name: 'name',
      label: groupTexts.name,
      stored: name,
      isRequired: true,
      maxLength: maxName,
      save: (next) => save({ name: next }),
    })}
    ${this.savedText({
      name: 'description',
      label: groupTexts.description,
      stored: description,
      type: 'long',
      maxLength: maxDescription,
      save: (next) => save({ description: next }),
    })}`
  }

  /** Joining and leaving. */
  #own(group: UserGroup, rights: GroupRights, session: Session): TemplateResult | typeof nothing {
    const isMember = group.members.includes(session.state.me.user_id)
    if (!rights.joins && !rights.leaves) {
      return isMember ? html`<p class="quiet-text">${groupTexts.yours}</p>` : nothing
    }
    const ids = [session.state.me.user_id]
    const change = (): void => {
      void this.act(
        () => this.#change(isMember ? { delete: ids } : { add: ids }),
        isMember ? groupTexts.left : groupTexts.joined,
        groupTexts.notDone,
      )
    }
    return html`<div class="bar-buttons">
      <button class="plain" type="button" @click=${change}>
        ${isMember ? groupTexts.leave : groupTexts.join}
      </button>
    </div>`
  }

  /** A group that contains this one cannot be in it. */
  #mayContain(group: UserGroup, other: UserGroup, { state }: Session): boolean {
    return (
      !group.deactivated &&
      !group.direct_subgroup_ids.includes(other.id) &&
      !containsGroup(other.id, group.id, state)
    )
  }

  #change(changes: {
    readonly add?: readonly number[]
    readonly delete?: readonly number[]
    readonly add_subgroups?: readonly number[]
    readonly delete_subgroups?: readonly number[]
  }): Promise<unknown> {
    const { api } = this.session?.client ?? {}
    if (api === undefined) return Promise.resolve()
    return api.updateUserGroupMembers({ user_group_id: this.groupId, ...changes })
  }

  async #remove({ kind, id, name }: Member): Promise<void> {
    await this.act(
      () => this.#change(kind === 'groups' ? { delete_subgroups: [id] } : { delete: [id] }),
      groupTexts.removed(name),
      (reason) => groupTexts.notRemoved(name, reason),
    )
  }

  #state({ id: user_group_id, name, deactivated }: UserGroup, session: Session): TemplateResult {
    const { api } = session.client
    const change = async ({ currentTarget }: Event): Promise<void> => {
      if (!(currentTarget instanceof HTMLElement)) return
      if (deactivated) {
        await this.act(
          () => api.updateUserGroup({ user_group_id, deactivated: false }),
          groupTexts.wasReactivated,
          groupTexts.notDone,
        )
      } else if (
        await ask(currentTarget, groupTexts.deactivateQuestion(name), groupTexts.deactivateNow)
      ) {
        let uses = ''
        await this.act(
          async () => {
            try {
              await api.deactivateUserGroup({ user_group_id })
            } catch (error) {
              uses = groupUses(error, session.state)
              throw error
            }
          },
          groupTexts.wasDeactivated,
          (reason) => groupTexts.notDone([reason, uses].filter(Boolean).join(' ')),
        )
      }
    }
    return html`<button class="plain" type="button" @click=${change}>
      ${deactivated ? groupTexts.reactivate : groupTexts.deactivate}
    </button>`
  }
}

function permissionFields(
  group: UserGroup,
  { manages }: GroupRights,
  { state }: Session,
): PermissionField[] {
  const specs = state.organization.server_supported_permission_settings?.group
  // Its keys are those of the type.
  const labels = Object.entries(groupTexts.permissionLabels) as [Permission, string][]
  return labels.map(([name, label]): PermissionField => {
    return {
      name,
      label,
      value: group[name],
      allowsEveryone: specs?.[name]?.allow_everyone_group === true,
      mayChange: manages,
    }
  })
}

define('parley-group', GroupPage)
