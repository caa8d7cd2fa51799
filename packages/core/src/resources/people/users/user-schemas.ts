import { Type, type Static } from 'typebox'

const closed = { additionalProperties: false } as const
const orNull = <Schema extends Parameters<typeof Type.Optional>[0]>(schema: Schema) =>
  Type.Union([schema, Type.Null()])

/** Custom profile values by the field's id. */
export const ProfileData = Type.Record(
  Type.String(),
  Type.Object({ value: Type.String(), rendered_value: Type.Optional(Type.String()) }, closed),
)
export type ProfileData = Static<typeof ProfileData>

/** A user on the wire; `delivery_email` and `avatar_url` depend on the viewer. */
export const UserObject = Type.Object(
  {
    user_id: Type.Integer(),
    email: Type.String({
      description: 'The address that is shown to all users; may be a stand-in.',
    }),
    delivery_email: orNull(
      Type.String({ description: 'The real address, if the viewer may see it.' }),
    ),
    full_name: Type.String(),
    date_joined: Type.String({ description: 'ISO 8601 with an offset.' }),
    is_active: Type.Optional(Type.Boolean()),
    is_owner: Type.Boolean(),
    is_admin: Type.Boolean(),
    is_guest: Type.Boolean(),
    is_bot: Type.Boolean(),
    role: Type.Integer(),
    timezone: Type.String(),
    avatar_url: orNull(
      Type.String({ description: 'Null if the client computes the URL of the gravatar.' }),
    ),
    avatar_version: Type.Integer(),
    bot_type: Type.Optional(orNull(Type.Integer())),
    bot_owner_id: Type.Optional(orNull(Type.Integer())),
    profile_data: Type.Optional(ProfileData),
  },
  closed,
)
export type UserObject = Static<typeof UserObject>

/** The same in lists of users, whose external ids administrators may see. */
export const ListedUser = Type.Object(
  {
    ...UserObject.properties,
    external_id: Type.Optional(
      Type.String({
        description:
          "The application's id of the user. Only for administrators, if the application allows it.",
      }),
    ),
  },
  closed,
)
export type ListedUser = Static<typeof ListedUser>

/** The data of `realm_user` update events. */
export const UserChange = Type.Union([
  Type.Object({ user_id: Type.Integer(), full_name: Type.String() }, closed),
  Type.Object({ user_id: Type.Integer(), role: Type.Integer() }, closed),
  Type.Object({ user_id: Type.Integer(), is_active: Type.Boolean() }, closed),
  Type.Object({ user_id: Type.Integer(), delivery_email: orNull(Type.String()) }, closed),
  Type.Object({ user_id: Type.Integer(), new_email: Type.String() }, closed),
  Type.Object({ user_id: Type.Integer(), bot_owner_id: Type.Integer() }, closed),
  Type.Object({ user_id: Type.Integer(), email: Type.String(), timezone: Type.String() }, closed),
  Type.Object(
    {
      user_id: Type.Integer(),
      avatar_source: Type.String(),
      avatar_url: Type.String(),
      avatar_url_medium: Type.String(),
      avatar_version: Type.Integer(),
    },
    closed,
  ),
  Type.Object(
    {
      user_id: Type.Integer(),
      custom_profile_field: Type.Object(
        {
          id: Type.Integer(),
          value: orNull(Type.String()),
          rendered_value: Type.Optional(Type.String()),
        },
        closed,
      ),
    },
    closed,
  ),
])
export type UserChange = Static<typeof UserChange>
