import { type Static, Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'

const orNull = (description: string) => Type.Union([Type.Number(), Type.Null()], { description })

/** A data export, as clients get it. */
export const DataExport = Type.Object({
  id: Type.Integer(),
  acting_user_id: Type.Integer({ description: 'Who has requested it.' }),
  export_time: Type.Number({ description: 'When it was requested, UNIX seconds.' }),
  deleted_timestamp: orNull('When it was deleted or has expired, UNIX seconds.'),
  failed_timestamp: orNull('When it has failed, UNIX seconds.'),
  export_url: Type.Union([Type.String(), Type.Null()], {
    description:
      "Where administrators can download it, relative to the organization's URL; null unless it is complete.",
  }),
  pending: Type.Boolean({ description: 'Whether it is still being produced.' }),
  export_type: Type.Integer({ description: '1 public, 2 standard.' }),
})
export type DataExport = Static<typeof DataExport>

export const dataExportsChanged = defineEvent({
  type: 'realm_export',
  summary:
    'A data export was requested, is complete, has failed or was deleted. Contains all exports. Sent to human administrators.',
  payload: Type.Object({ exports: Type.Array(DataExport) }),
})
