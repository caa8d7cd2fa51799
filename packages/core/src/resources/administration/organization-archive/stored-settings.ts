import { Type } from 'typebox'

import { organizationImageNames } from '../../../domain/files/organization-images.js'
import { Role } from '../../../domain/users/actor.js'
import { closed } from '../../../resource-definition/file-schemas.js'
import { keptSettings } from '../organization-settings/index.js'

const image = Type.Object(
  { version: Type.Integer({ minimum: 1 }), isUploaded: Type.Boolean() },
  closed,
)

/** The settings in the row of an organization. */
export const storedSettings = Type.Object(
  {
    ...Object.fromEntries(
      Object.entries(keptSettings).map(([name, schema]) => [name, Type.Optional(schema)]),
    ),
    permissions: Type.Record(Type.String(), Type.Integer()),
    images: Type.Optional(
      Type.Object(
        Object.fromEntries(organizationImageNames.map((name) => [name, Type.Optional(image)])),
        closed,
      ),
    ),
    newUsers: Type.Optional(
      Type.Object(
        {
          role: Type.Union([Type.Literal(Role.member), Type.Literal(Role.guest)]),
          isWelcomed: Type.Boolean(),
        },
        closed,
      ),
    ),
  },
  closed,
)
