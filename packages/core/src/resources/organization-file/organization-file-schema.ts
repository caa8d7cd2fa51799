import { Type, type Static } from 'typebox'

import { maxUserId } from '../../domain/system-bots.js'

const Id = Type.Integer({ minimum: 1, maximum: maxUserId })
const Seconds = Type.Integer({ minimum: 0, description: 'UNIX seconds.' })
const closed = { additionalProperties: false } as const

const RoleNumber = Type.Union(
  [100, 200, 300, 400, 600].map((role) => Type.Literal(role)),
  { description: '100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.' },
)

const FileUser = Type.Object(
  {
    id: Id,
    email: Type.String({ minLength: 3, maxLength: 254 }),
    full_name: Type.String({ minLength: 2, maxLength: 100 }),
    role: Type.Optional(RoleNumber),
    external_id: Type.Optional(
      Type.String({ description: "The application's own id of the user." }),
    ),
    password: Type.Optional(Type.String({ description: 'Clear text; only its hash is stored.' })),
    api_key: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9]{32}$' })),
    is_active: Type.Optional(Type.Boolean()),
    timezone: Type.Optional(Type.String()),
    joined_at_seconds: Type.Optional(Seconds),
    can_create_users: Type.Optional(Type.Boolean()),
    can_change_user_emails: Type.Optional(Type.Boolean()),
    settings: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.Boolean(), Type.Integer(), Type.String()]), {
        description: 'Personal settings by name.',
      }),
    ),
  },
  closed,
)

const FileBot = Type.Object(
  {
    id: Id,
    email: Type.String({ minLength: 3, maxLength: 254 }),
    full_name: Type.String({ minLength: 2, maxLength: 100 }),
    owner_id: Type.Union([Id, Type.Null()]),
    bot_type: Type.Optional(Type.Integer({ minimum: 1, maximum: 4 })),
    role: Type.Optional(RoleNumber),
    api_key: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9]{32}$' })),
    is_active: Type.Optional(Type.Boolean()),
  },
  closed,
)

const FileGroup = Type.Object(
  {
    id: Id,
    name: Type.String({ minLength: 1, maxLength: 100 }),
    description: Type.Optional(Type.String()),
    creator_id: Type.Optional(Id),
    members: Type.Optional(Type.Array(Id, { uniqueItems: true })),
    subgroups: Type.Optional(
      Type.Array(Type.Union([Id, Type.String()]), {
        description: 'Ids of groups of the file, or names of system groups such as role:members.',
      }),
    ),
    is_deactivated: Type.Optional(Type.Boolean()),
  },
  closed,
)

const FileChannel = Type.Object(
  {
    id: Id,
    name: Type.String({ minLength: 1, maxLength: 60 }),
    description: Type.Optional(Type.String({ maxLength: 1024 })),
    privacy: Type.Optional(
      Type.Union(
        [
          Type.Literal('public'),
          Type.Literal('private'),
          Type.Literal('private_protected_history'),
          Type.Literal('web_public'),
        ],
        { description: '`private` shares its history with new subscribers. Default `public`.' },
      ),
    ),
    subscribers: Type.Optional(Type.Array(Id, { uniqueItems: true })),
    creator_id: Type.Optional(Id),
    is_default: Type.Optional(Type.Boolean()),
    is_archived: Type.Optional(Type.Boolean()),
    created_at_seconds: Type.Optional(Seconds),
  },
  closed,
)

const FileMessage = Type.Object(
  {
    id: Type.Optional(Id),
    sender_id: Id,
    channel_id: Type.Optional(Id),
    topic: Type.Optional(Type.String()),
    to: Type.Optional(
      Type.Array(Id, { description: 'The other participants of a direct message.' }),
    ),
    content: Type.String({ minLength: 1 }),
    sent_at_seconds: Type.Optional(Seconds),
    read_by: Type.Optional(Type.Array(Id, { description: 'Who has read it, besides its sender.' })),
  },
  closed,
)

/**
 * An organization as one JSON document with explicit ids: what the examples start with and what
 * the tests are seeded with.
 */
export const OrganizationFile = Type.Object(
  {
    organization: Type.Object(
      {
        id: Type.Optional(Id),
        name: Type.String({ minLength: 1, maxLength: 40 }),
        subdomain: Type.Optional(
          Type.String({ description: 'The identifier in host names; empty for the only one.' }),
        ),
        created_at_seconds: Type.Optional(Seconds),
        settings: Type.Optional(
          Type.Record(Type.String(), Type.Unknown(), {
            description: 'Settings of the organization by their names in `PATCH /realm`.',
          }),
        ),
      },
      closed,
    ),
    users: Type.Array(FileUser, { minItems: 1 }),
    bots: Type.Optional(Type.Array(FileBot)),
    groups: Type.Optional(Type.Array(FileGroup)),
    channels: Type.Optional(Type.Array(FileChannel)),
    messages: Type.Optional(Type.Array(FileMessage)),
  },
  closed,
)
export type OrganizationFile = Static<typeof OrganizationFile>
