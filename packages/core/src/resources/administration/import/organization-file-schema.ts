import { Type, type Static, type TSchema } from 'typebox'

import {
  organizationPermissions,
  type OrganizationPermission,
  type OrganizationSettings,
} from '../../../domain/organization-settings.js'
import type { UserSettings } from '../../../domain/user-settings.js'
import {
  closed,
  FileId,
  FileSeconds,
  type ReadFileLists,
} from '../../../resource-definition/file-schemas.js'
import { keptSettings } from '../organization-settings/index.js'
import { fileSections, numberedLists } from './all-file-sections.js'
import {
  UserSettingValues,
  AccountId,
  type FileGroupValue,
  FileUser,
  FileBot,
  FileGroup,
  FileChannel,
  FileSubscription,
  FileMessage,
  groupValues,
} from './organization-file-items.js'

const OrganizationSettingValues = Type.Object(
  {
    ...Object.fromEntries(
      Object.entries(keptSettings).map(([name, schema]) => [name, Type.Optional(schema)]),
    ),
    ...groupValues(organizationPermissions),
  },
  {
    ...closed,
    description:
      'Settings of the organization, named as in `PATCH /realm`; permission settings as in channels.',
  },
)

const FileOrganization = Type.Object(
  {
    id: Type.Optional(FileId),
    name: Type.String({ minLength: 1, maxLength: 40, pattern: '\\S' }),
    subdomain: Type.Optional(
      Type.String({
        maxLength: 100,
        description: "Identifier in host names; empty for a server's only organization.",
      }),
    ),
    created_at_seconds: Type.Optional(FileSeconds),
    settings: Type.Optional(OrganizationSettingValues),
    user_settings_defaults: Type.Optional(
      UserSettingValues('The default settings of future users.'),
    ),
  },
  closed,
)

/** The lists of a file that belong to no section of a resource, by key. */
export const coreLists: Readonly<Record<string, TSchema>> = {
  users: FileUser,
  bots: FileBot,
  groups: FileGroup,
  channels: FileChannel,
  subscriptions: FileSubscription,
  messages: FileMessage,
}

const NextIds = Type.Object(
  Object.fromEntries(
    numberedLists.map(({ key }) => [key, Type.Optional(key === 'users' ? AccountId : FileId)]),
  ),
  { ...closed, description: 'The smallest id that the next new object of each kind can get.' },
)

/** A file without the items of its lists, which are validated one by one. */
export const OrganizationFileFrame = Type.Object(
  {
    organization: FileOrganization,
    users: Type.Array(Type.Unknown(), { minItems: 1 }),
    ...Object.fromEntries(
      [...Object.keys(coreLists), ...fileSections.map(({ key }) => key)]
        .filter((key) => key !== 'users')
        .map((key) => [key, Type.Optional(Type.Array(Type.Unknown()))]),
    ),
    next_ids: Type.Optional(NextIds),
  },
  closed,
)

/**
 * An organization as one JSON document with explicit ids. The examples and the tests load such
 * files.
 */
export const OrganizationFile = Type.Object(
  {
    organization: FileOrganization,
    users: Type.Array(FileUser, { minItems: 1 }),
    bots: Type.Optional(Type.Array(FileBot)),
    groups: Type.Optional(Type.Array(FileGroup)),
    channels: Type.Optional(Type.Array(FileChannel)),
    subscriptions: Type.Optional(
      Type.Array(FileSubscription, {
        description:
          "Users' channel settings. Users who are not yet subscribed to the channel are subscribed.",
      }),
    ),
    messages: Type.Optional(Type.Array(FileMessage)),
    ...Object.fromEntries(
      fileSections.map(({ key, item, summary }) => [
        key,
        Type.Optional(Type.Array(item, { description: summary })),
      ]),
    ),
    next_ids: Type.Optional(NextIds),
  },
  closed,
)

type PermissionValues = Partial<Record<OrganizationPermission, FileGroupValue>>

/** The settings of an organization in a file. */
export type FileOrganizationSettings = Partial<OrganizationSettings> & PermissionValues

interface CheckedOrganization extends Omit<
  Static<typeof FileOrganization>,
  'settings' | 'user_settings_defaults'
> {
  readonly settings?: FileOrganizationSettings
  readonly user_settings_defaults?: Partial<UserSettings>
}

/** A file that has been checked. */
export interface OrganizationFile extends ReadFileLists {
  readonly organization: CheckedOrganization
  readonly users: readonly FileUser[]
  readonly next_ids?: Readonly<Record<string, number>>
  /** The lists of {@link fileSections}. */
  readonly [section: string]: unknown
}
