import type { OrganizationImages } from '../../../domain/files/organization-images.js'
import type { NewUserRules } from '../../../domain/organizations/organization-presets.js'
import type {
  OrganizationPermission,
  OrganizationSettings,
} from '../../../domain/organizations/organization-settings.js'
import type { UserSettings } from '../../../domain/users/user-settings.js'
import { bigInteger, boolean, id, json, seconds, string } from '../../../storage/tables/column.js'
import { defineServerTable } from '../../../storage/tables/table.js'

/**
 * The settings that differ from the defaults, the group id of every permission setting, images, and
 * how the accounts of new users begin.
 */
export interface StoredOrganizationSettings extends Partial<OrganizationSettings> {
  permissions: Readonly<Record<OrganizationPermission, number>>
  images?: OrganizationImages
  newUsers?: NewUserRules
}

const ofLog = 'the event log begins anew; clients register again'

export const organizations = defineServerTable('organizations', {
  columns: {
    id: id(),
    subdomain: string(100),
    name: string(160, { minLength: 1 }),
    created_at_seconds: seconds(),
    is_deactivated: boolean().defaultsTo(false),
    /** Renewed when the log is reset, so that no queue of the old log continues in the new one. */
    epoch: string(20).notArchived(ofLog),
    /** The newest entry of the organization's event log. */
    event_seq: bigInteger().defaultsTo(0).notArchived(ofLog),
    event_floor_seq: bigInteger().defaultsTo(0).notArchived(ofLog),
    /** Until when an import may take; null unless the organization is being imported. */
    importing_until_seconds: seconds()
      .orNull()
      .defaultsTo(null)
      .notArchived('belongs to an import'),
    active_audience_id: id().orNull().defaultsTo(null).notArchived('a cache'),
    member_audience_id: id().orNull().defaultsTo(null).notArchived('a cache'),
    /** The highest `update_id` of presences that any process may have given out. */
    presence_update_id: bigInteger().defaultsTo(0),
    /**
     * Clients have received events for the full members who joined up to this moment, which is
     * before 1970 if it takes longer to become one.
     */
    full_members_joined_until_milliseconds: bigInteger({}).orNull().defaultsTo(null),
    /** The size of all uploads together, in bytes. */
    upload_bytes: bigInteger().defaultsTo(0),
    settings: json<StoredOrganizationSettings>(),
    user_defaults: json<Partial<UserSettings>>(),
  },
  unique: [['subdomain']],
  index: [['importing_until_seconds']],
  archive: {},
})
