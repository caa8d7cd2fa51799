import { everyCaller } from '../support/callers.js'
import { realtime } from '../support/examples/realtime.js'

everyCaller(realtime)
