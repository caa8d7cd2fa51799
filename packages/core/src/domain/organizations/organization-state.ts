import type { OrganizationImages } from '../files/organization-images.js'
import type { UserSettings } from '../users/user-settings.js'
import type { NewUserRules } from './organization-presets.js'
import type { OrganizationPermission, OrganizationSettings } from './organization-settings.js'

/** An organization with its settings. */
export interface OrganizationState {
  readonly id: number
  readonly subdomain: string
  readonly name: string
  readonly createdAtSeconds: number
  readonly isDeactivated: boolean
  /** Part of every queue's id. */
  readonly epoch: string
  readonly settings: OrganizationSettings
  /** The group id of each permission setting. */
  readonly permissions: Readonly<Record<OrganizationPermission, number>>
  readonly images: OrganizationImages
  readonly newUsers: NewUserRules
  readonly userDefaults: UserSettings
}
