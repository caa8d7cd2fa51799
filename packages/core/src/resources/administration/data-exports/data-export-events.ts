import { Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'
import { DataExport } from './data-export-schemas.js'

export const dataExportsChanged = defineEvent({
  type: 'realm_export',
  summary:
    'A data export was requested, is complete, has failed or was deleted. Contains all exports. Sent to human administrators.',
  payload: Type.Object({ exports: Type.Array(DataExport) }),
})
