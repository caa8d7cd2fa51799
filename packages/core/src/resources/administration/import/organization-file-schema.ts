import { Type, type Static, type TObject, type TSchema } from 'typebox'

import {
  organizationPermissions,
  type OrganizationPermission,
  type OrganizationSettings,
} from '../../../domain/organizations/organization-settings.js'
import type { UserSettings } from '../../../domain/users/user-settings.js'
import {
  closed,
  FileId,
  FileSeconds,
  type ReadFileLists,
} from '../../../resource-definition/file-schemas.js'
import type { FileSection } from '../../../resource-definition/file-section.js'
import type { TableName } from '../../../storage/index.js'
import { keptSettings } from '../organization-settings/index.js'
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
import { limits } from '../../../domain/limits.js'

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
    name: Type.String({
      minLength: 1,
      maxLength: limits.maxOrganizationNameLength,
      pattern: '\\S',
    }),
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

/** Objects whose ids a file may prescribe. */
export interface NumberedLists {
  /** Their key in `next_ids`. */
  readonly key: string
  /** The lists that contain them. */
  readonly keys: readonly string[]
  readonly table: TableName
}

/** The lists that a file can contain besides {@link coreLists}. */
interface FileContents {
  readonly sections: readonly FileSection[]
  readonly numberedLists: readonly NumberedLists[]
}

function nextIds({ numberedLists }: FileContents): TSchema {
  return Type.Object(
    Object.fromEntries(
      numberedLists.map(({ key }) => [key, Type.Optional(key === 'users' ? AccountId : FileId)]),
    ),
    { ...closed, description: 'The smallest id that the next new object of each kind can get.' },
  )
}

/** A file without the items of its lists, which are validated one by one. */
export function organizationFileFrame(contents: FileContents): TSchema {
  return Type.Object(
    {
      organization: FileOrganization,
      users: Type.Array(Type.Unknown(), { minItems: 1 }),
      ...Object.fromEntries(
        [...Object.keys(coreLists), ...contents.sections.map(({ key }) => key)]
          .filter((key) => key !== 'users')
          .map((key) => [key, Type.Optional(Type.Array(Type.Unknown()))]),
      ),
      next_ids: Type.Optional(nextIds(contents)),
    },
    closed,
  )
}

/**
 * An organization as one JSON document with explicit ids. The examples and the tests load such
 * files.
 */
export function organizationFileSchema(contents: FileContents): TObject {
  return Type.Object(
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
        contents.sections.map(({ key, item, summary }) => [
          key,
          Type.Optional(Type.Array(item, { description: summary })),
        ]),
      ),
      next_ids: Type.Optional(nextIds(contents)),
    },
    closed,
  )
}

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
  /** The lists of the resources. */
  readonly [section: string]: unknown
}
