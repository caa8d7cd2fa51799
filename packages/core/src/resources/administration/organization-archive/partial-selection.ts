import type { EditHistoryItem } from '../../../domain/messages/edit-history.js'
import type { OrganizationSettings } from '../../../domain/organizations/organization-settings.js'
import { subscriptionColor } from '../../../domain/organizations/subscription-colors.js'
import { foldCase } from '../../../domain/texts/folding.js'
import { Role } from '../../../domain/users/actor.js'
import type { ServerFacts } from '../../../kernel/server-facts.js'
import { toJson, type Json, type OrganizationScope } from '../../../storage/index.js'
import { visibleEditHistory } from '../../messages/objects/index.js'
import { standInEmail, weakestRoleThatSees } from '../../people/users/index.js'
import type { ArchiveRepository } from './archive-repository.js'
import type { ArchiveSelection } from './archive-selection.js'
import type { ArchivedRow } from './archived-tables.js'
import { IdList } from './known-rows.js'

/** The rows that decide which others an archive contains. */
export interface SelectedIds {
  /** The users who allow the export of their private data; in a public archive none. */
  readonly consenting: ReadonlySet<number>
  readonly channels: ReadonlySet<number>
  /** Private channels whose new subscribers cannot read older messages. */
  readonly withProtectedHistory: ReadonlySet<number>
  /** The recipients of direct messages. */
  readonly conversations: ReadonlySet<number>
  readonly groups: ReadonlySet<number>
}

type Rows = readonly ArchivedRow[]
type Choice = (row: ArchivedRow) => ArchivedRow | undefined
const readFlag = 1
/** Settings of the organization that name a channel. */
const channelSettings = /_(?:stream|channel)_id$/

/** The rows of a public or a standard archive; see docs/organizations.md. */
export class PartialSelection implements ArchiveSelection {
  readonly #messages = new IdList()
  /** Bots of users who allow the export of their private data. */
  readonly #ownedByConsenting = new Set<number>()
  #historyPolicy: OrganizationSettings['message_edit_history_visibility_policy'] = 'all'
  readonly #scheduled = new Set<number>()
  readonly #choices: Readonly<Record<string, Choice>>

  constructor(
    private readonly scope: OrganizationScope,
    private readonly type: 'public' | 'standard',
    private readonly ids: SelectedIds,
    private readonly rows: ArchiveRepository,
    private readonly facts: ServerFacts,
  ) {
    const { channels, groups } = ids
    const ofConsenting = this.#ofConsenting('user_id')
    this.#choices = {
      users: (row) => this.#user(row),
      user_groups: (row) => (groups.has(Number(row['id'])) ? row : undefined),
      channels: (row) => this.#channel(row),
      subscriptions: (row) => ofConsenting(row) ?? plainSubscription(row),
      bot_details: (row) => this.#botDetails(row),
      recipients: (row) => this.#recipient(row),
      user_topics: ofConsenting,
      alert_words: ofConsenting,
      muted_users: ofConsenting,
      presences: ofConsenting,
      user_statuses: ofConsenting,
      drafts: ofConsenting,
      navigation_views: ofConsenting,
      saved_snippets: ofConsenting,
      reminders: ofConsenting,
      user_messages: (row) => this.#userMessage(row),
      scheduled_messages: (row) => {
        const channelId = row['channel_id']
        return channelId === null || channels.has(Number(channelId)) ? ofConsenting(row) : undefined
      },
      attachment_messages: (row) =>
        this.#messages.has(Number(row['message_id'])) ? row : undefined,
      attachment_schedules: (row) =>
        this.#scheduled.has(Number(row['scheduled_message_id'])) ? row : undefined,
    }
  }

  organization(row: ArchivedRow): ArchivedRow {
    // Stored by the server.
    const settings = JSON.parse(String(row['settings'])) as Record<string, unknown>
    const { message_edit_history_visibility_policy: policy } = settings
    if (policy === 'none' || policy === 'moves') this.#historyPolicy = policy
    for (const [name, value] of Object.entries(settings)) {
      if (!channelSettings.test(name) || this.ids.channels.has(Number(value))) continue
      settings[name] = -1
    }
    return { ...row, settings: JSON.stringify(settings) }
  }

  async select(table: string, rows: Rows): Promise<Rows> {
    if (table === 'messages') return this.#selectMessages(rows)
    if (table === 'attachments') return this.#selectAttachments(rows)
    const choose = this.#choices[table]
    if (choose === undefined) return rows
    const selected = rows.map(choose).filter((row) => row !== undefined)
    if (table === 'scheduled_messages') {
      for (const { id } of selected) this.#scheduled.add(Number(id))
    }
    return selected
  }

  #ofConsenting(column: string): Choice {
    return (row) => (this.ids.consenting.has(Number(row[column])) ? row : undefined)
  }

  #user(row: ArchivedRow): ArchivedRow {
    const id = Number(row['id'])
    if (this.ids.consenting.has(Number(row['bot_owner_id']))) this.#ownedByConsenting.add(id)
    if (this.ids.consenting.has(id)) return row
    const weakest = weakestRoleThatSees({
      email_address_visibility: Number(row['email_address_visibility']),
    })
    const reader = this.type === 'public' ? Role.guest : Role.administrator
    const email = weakest >= reader ? String(row['email']) : standInEmail(id, this.facts)
    return {
      ...row,
      email,
      email_key: foldCase(email),
      external_id: null,
      application_avatar_url: null,
      settings: '{}',
    }
  }

  #channel(row: ArchivedRow): ArchivedRow | undefined {
    const id = Number(row['id'])
    if (!this.ids.channels.has(id)) return undefined
    return this.ids.withProtectedHistory.has(id) ? { ...row, first_message_id: null } : row
  }

  #botDetails(row: ArchivedRow): ArchivedRow {
    const kept = (column: string) =>
      this.ids.channels.has(Number(row[column])) ? (row[column] ?? null) : null
    return {
      ...row,
      default_sending_channel_id: kept('default_sending_channel_id'),
      default_events_channel_id: kept('default_events_channel_id'),
      // The address of a program may contain a secret.
      ...(!this.#ownedByConsenting.has(Number(row['user_id'])) && { service_base_url: null }),
    }
  }

  #recipient(row: ArchivedRow): ArchivedRow | undefined {
    const { channel_id, id } = row
    const isSelected =
      channel_id === null
        ? this.ids.conversations.has(Number(id))
        : this.ids.channels.has(Number(channel_id))
    return isSelected ? row : undefined
  }

  #userMessage(row: ArchivedRow): ArchivedRow | undefined {
    if (this.type === 'public') return undefined
    return this.#ofConsenting('user_id')(row) ?? { ...row, flags: readFlag }
  }

  async #selectMessages(rows: Rows): Promise<Rows> {
    const { channels, conversations, withProtectedHistory } = this.ids
    const isProtected = (row: ArchivedRow) => withProtectedHistory.has(Number(row['channel_id']))
    const inPlace = rows.filter(({ channel_id, recipient_id }) =>
      channel_id === null
        ? conversations.has(Number(recipient_id))
        : channels.has(Number(channel_id)),
    )
    const received = await this.#receivedByConsenting(
      inPlace.filter(isProtected).map(({ id }) => Number(id)),
    )
    const selected = inPlace.filter((row) => !isProtected(row) || received.has(Number(row['id'])))
    for (const { id } of selected) this.#messages.add(Number(id))
    return selected.map((row) => this.#withVisibleHistory(row))
  }

  /** Earlier texts are left out that the organization shows to no user. */
  #withVisibleHistory(row: ArchivedRow): ArchivedRow {
    const { edit_history } = row
    if (typeof edit_history !== 'string' || this.#historyPolicy === 'all') return row
    // The column has such lists only.
    const json = edit_history as Json<EditHistoryItem[]>
    const visible = visibleEditHistory(json, this.#historyPolicy, true)
    return { ...row, edit_history: visible === undefined ? null : toJson(visible) }
  }

  async #receivedByConsenting(messageIds: readonly number[]): Promise<ReadonlySet<number>> {
    const receivers = await this.rows.listReceivers(this.scope, messageIds)
    const consenting = receivers.filter(({ user_id }) => this.ids.consenting.has(user_id))
    return new Set(consenting.map(({ message_id }) => message_id))
  }

  /** Files of selected messages, and those of consenting users. */
  async #selectAttachments(rows: Rows): Promise<Rows> {
    const ids = rows.map(({ id }) => Number(id))
    const columns = ['attachment_id', 'message_id']
    const links = await this.rows.listWhere(
      this.scope,
      'attachment_messages',
      'attachment_id',
      ids,
      columns,
    )
    const linked = new Set(
      links
        .filter(({ message_id }) => this.#messages.has(Number(message_id)))
        .map(({ attachment_id }) => Number(attachment_id)),
    )
    return rows.filter(
      (row) => linked.has(Number(row['id'])) || this.ids.consenting.has(Number(row['owner_id'])),
    )
  }
}

/** A subscription without the values that only the user sees; undefined for one that has ended. */
function plainSubscription(row: ArchivedRow): ArchivedRow | undefined {
  if (row['is_active'] !== true) return undefined
  return {
    ...row,
    color: subscriptionColor(Number(row['channel_id'])),
    is_muted: false,
    pin_to_top: false,
    desktop_notifications: null,
    audible_notifications: null,
    push_notifications: null,
    email_notifications: null,
    wildcard_mentions_notify: null,
  }
}
