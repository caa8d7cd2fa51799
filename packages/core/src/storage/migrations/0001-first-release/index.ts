import type { Migration } from '../migration.js'
import { channelTables } from './channels.js'
import { eventTables } from './events.js'
import { fileTables } from './files.js'
import { messageTables } from './messages.js'
import { notificationTables } from './notifications.js'
import { organizationTables } from './organizations.js'
import { personalItemTables } from './personal-items.js'
import { userTables } from './users.js'

/** The tables of the first release. */
export const firstRelease: Migration = {
  name: '0001-first-release',
  up(context) {
    organizationTables(context)
    userTables(context)
    channelTables(context)
    messageTables(context)
    personalItemTables(context)
    fileTables(context)
    eventTables(context)
    notificationTables(context)
  },
}
