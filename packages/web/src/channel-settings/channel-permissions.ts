import type { ChannelState } from '@parley/client'
import { html, nothing, type TemplateResult } from 'lit'

import '../groups/permissions.js'
import type { PermissionChange, PermissionField } from '../groups/permissions.js'
import type { Session } from '../session/session.js'
import { define } from '../view/view.js'
import { ChannelSection } from './channel-section.js'
import { channelTexts } from './channel-texts.js'
import type { ChannelRights } from './rights.js'

type Permission = keyof typeof channelTexts.permissionLabels

/** The permission settings of a channel. */
class ChannelPermissions extends ChannelSection {
  protected override section(
    channel: ChannelState,
    rights: ChannelRights,
    session: Session,
  ): TemplateResult {
    const specs = session.state.organization.server_supported_permission_settings?.stream
    // Its keys are those of the type.
    const labels = Object.entries(channelTexts.permissionLabels) as [Permission, string][]
    const fields = labels.map(([name, label]): PermissionField => {
      return {
        name,
        label,
        value: channel[name],
        allowsEveryone: specs?.[name]?.allow_everyone_group === true,
        mayChange: mayChange(name, rights),
      }
    })
    return html`<div class="settings-body">
        ${rights.administers ? nothing : html`<p class="quiet-text">${channelTexts.readOnlyHint}</p>`}
        <p class="quiet-text">${channelTexts.permissionHint}</p>
        <parley-permissions
          .session=${session}
          .heading=${channelTexts.permissions}
          .fields=${fields}
          .change=${(name: string, values: PermissionChange) => this.change({ [name]: values })}
          .report=${(note: string) => (this.note = note)}
        ></parley-permissions>
      </div>
      ${this.status()}`
  }
}

function mayChange(name: Permission, rights: ChannelRights): boolean {
  if (name === 'can_add_subscribers_group' || name === 'can_subscribe_group') {
    // These let people read the channel.
    return rights.administers && rights.reads
  }
  if (name === 'can_delete_any_message_group' || name === 'can_delete_own_message_group') {
    return rights.setsDeletion
  }
  return rights.administers
}

define('parley-channel-permissions', ChannelPermissions)
