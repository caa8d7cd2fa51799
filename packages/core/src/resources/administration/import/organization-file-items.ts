import { Type, type Static } from 'typebox'
import { Bounded } from '../../../domain/bounded-schemas.js'
import {
  channelPermissions,
  groupPermissions,
} from '../../../domain/organizations/organization-settings.js'
import { maxUserId } from '../../../domain/users/system-bots.js'
import { fromKeys, keysOf } from '../../../kernel/objects.js'
import { closed, FileId, FileSeconds } from '../../../resource-definition/file-schemas.js'
import { fileBotProperties } from '../../accounts/bots/index.js'
import { FileProfileData } from '../../accounts/profile-fields/index.js'
import { limits } from '../../../domain/limits.js'
import { maxExternalIdLength } from '../../people/users/index.js'

export const RoleNumber = Bounded.role({
  description: '100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.',
})

export const Email = Type.String({ minLength: 3, maxLength: limits.maxEmailLength })

export const FullName = Type.String({ minLength: 2, maxLength: limits.maxFullNameLength })

export const ApiKey = Type.String({ pattern: '^[A-Za-z0-9]{32}$' })

export const UserIds = (description?: string) =>
  Type.Array(FileId, { uniqueItems: true, ...(description === undefined ? {} : { description }) })

export const UserSettingValues = (description: string) =>
  Type.Record(Type.String(), Type.Union([Type.Boolean(), Type.Integer(), Type.String()]), {
    description,
  })

/** Id of a user or a bot. Higher ids belong to the server's own bots. */
export const AccountId = Type.Integer({ minimum: 1, maximum: maxUserId })

/** A group: its id in the file, or its name. */
export const GroupReference = Type.Union([FileId, Type.String()])

/** The value of a permission setting. */
export const FileGroupValue = Type.Union([
  FileId,
  Type.String(),
  Type.Object(
    {
      direct_members: Type.Optional(UserIds()),
      direct_subgroups: Type.Optional(Type.Array(GroupReference)),
    },
    closed,
  ),
])
export type FileGroupValue = Static<typeof FileGroupValue>

/** A property for the value of each permission setting. */
export function groupValues<Name extends string>(definitions: Readonly<Record<Name, unknown>>) {
  return fromKeys(keysOf(definitions), () => Type.Optional(FileGroupValue))
}

const Permissions = <Name extends string>(definitions: Readonly<Record<Name, unknown>>) =>
  Type.Optional(
    Type.Object(groupValues(definitions), {
      ...closed,
      description:
        'Permission settings. Each value is the id or the name of a group, or an object with `direct_members` and `direct_subgroups`.',
    }),
  )

export const FileUser = Type.Object(
  {
    id: AccountId,
    email: Email,
    full_name: FullName,
    role: Type.Optional(RoleNumber),
    external_id: Type.Optional(
      Type.String({
        maxLength: maxExternalIdLength,
        description: "The application's id of the user.",
      }),
    ),
    password: Type.Optional(Type.String({ description: 'Plain text; only its hash is stored.' })),
    api_key: Type.Optional(ApiKey),
    is_active: Type.Optional(Type.Boolean()),
    timezone: Type.Optional(Type.String()),
    joined_at_seconds: Type.Optional(FileSeconds),
    can_create_users: Type.Optional(Type.Boolean()),
    can_change_user_emails: Type.Optional(Type.Boolean()),
    settings: Type.Optional(UserSettingValues('Personal settings by name.')),
    profile_data: Type.Optional(FileProfileData),
  },
  closed,
)
export type FileUser = Static<typeof FileUser>

export const FileBot = Type.Object(
  {
    id: AccountId,
    email: Email,
    full_name: FullName,
    owner_id: Type.Union([FileId, Type.Null()]),
    ...fileBotProperties,
    role: Type.Optional(RoleNumber),
    api_key: Type.Optional(ApiKey),
    is_active: Type.Optional(Type.Boolean()),
    joined_at_seconds: Type.Optional(FileSeconds),
    can_create_users: Type.Optional(
      Type.Boolean({ description: 'Only owners can manage such a bot.' }),
    ),
  },
  closed,
)
export type FileBot = Static<typeof FileBot>

export const FileGroup = Type.Object(
  {
    id: FileId,
    name: Type.String({
      minLength: 1,
      maxLength: limits.maxGroupNameLength,
      description: 'An entry for a system group only prescribes its id; it has no other fields.',
    }),
    description: Type.Optional(Type.String({ maxLength: limits.maxGroupDescriptionLength })),
    creator_id: Type.Optional(FileId),
    created_at_seconds: Type.Optional(FileSeconds),
    members: Type.Optional(UserIds()),
    subgroups: Type.Optional(
      Type.Array(GroupReference, {
        description: 'Ids of groups of the file, or names of groups such as role:members.',
      }),
    ),
    is_deactivated: Type.Optional(Type.Boolean()),
    settings: Permissions(groupPermissions),
  },
  closed,
)
export type FileGroup = Static<typeof FileGroup>

export const FileChannel = Type.Object(
  {
    id: FileId,
    name: Type.String({ minLength: 1, maxLength: limits.maxChannelNameLength }),
    description: Type.Optional(Type.String({ maxLength: limits.maxChannelDescriptionLength })),
    privacy: Type.Optional(
      Type.Union(
        [
          Type.Literal('public'),
          Type.Literal('private'),
          Type.Literal('private_protected_history'),
          Type.Literal('web_public'),
        ],
        {
          description:
            'New subscribers of a `private` channel can read its history. Default `public`.',
        },
      ),
    ),
    subscribers: Type.Optional(UserIds()),
    creator_id: Type.Optional(FileId),
    is_default: Type.Optional(
      Type.Boolean({ description: 'Whether new users are subscribed to the channel.' }),
    ),
    is_archived: Type.Optional(Type.Boolean()),
    created_at_seconds: Type.Optional(FileSeconds),
    topics_policy: Type.Optional(
      Type.Union(
        ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'].map((policy) =>
          Type.Literal(policy),
        ),
      ),
    ),
    message_retention_days: Type.Optional(
      Type.Union([Type.Integer({ minimum: -1 }), Type.Null()], {
        description: 'Days; -1 keeps messages forever.',
      }),
    ),
    folder_id: Type.Optional(Type.Integer({ minimum: 1, description: 'Id in `channel_folders`.' })),
    settings: Permissions(channelPermissions),
  },
  closed,
)
export type FileChannel = Static<typeof FileChannel>

export const Inherited = Type.Optional(Type.Union([Type.Boolean(), Type.Null()]))

export const FileSubscription = Type.Object(
  {
    user_id: FileId,
    channel_id: FileId,
    is_active: Type.Optional(Type.Boolean({ description: 'False if the user has unsubscribed.' })),
    color: Type.Optional(Type.String({ pattern: '^#[0-9a-f]{6}$' })),
    is_muted: Type.Optional(Type.Boolean()),
    pin_to_top: Type.Optional(Type.Boolean()),
    desktop_notifications: Inherited,
    audible_notifications: Inherited,
    push_notifications: Inherited,
    email_notifications: Inherited,
    wildcard_mentions_notify: Inherited,
  },
  closed,
)
export type FileSubscription = Static<typeof FileSubscription>

export const FileMessage = Type.Object(
  {
    id: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description:
          'Required only if something refers to the message: reactions, or links to its topic.',
      }),
    ),
    sender_id: FileId,
    channel_id: Type.Optional(FileId),
    topic: Type.Optional(Type.String()),
    to: Type.Optional(
      Type.Array(FileId, { description: 'The other participants of a direct message.' }),
    ),
    content: Type.String({ minLength: 1 }),
    sent_at_seconds: Type.Optional(FileSeconds),
    client: Type.Optional(
      Type.String({
        maxLength: limits.maxClientNameLength,
        description: 'Name of the client that sent it.',
      }),
    ),
    read_by: Type.Optional(UserIds('Who has read it, besides its sender.')),
    starred_by: Type.Optional(UserIds()),
    collapsed_by: Type.Optional(UserIds()),
  },
  closed,
)
export type FileMessage = Static<typeof FileMessage>

declare module '../../../resource-definition/file-schemas.js' {
  interface FileLists {
    users: FileUser
    bots: FileBot
    groups: FileGroup
    channels: FileChannel
    subscriptions: FileSubscription
    messages: FileMessage
  }
}
