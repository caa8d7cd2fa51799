import { everyCaller } from '../support/callers.js'
import { notifications } from '../support/examples/notifications.js'

everyCaller(notifications)
