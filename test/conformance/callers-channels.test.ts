import { everyCaller } from '../support/callers.js'
import { channels } from '../support/examples/channels.js'

everyCaller(channels)
