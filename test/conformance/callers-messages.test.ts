import { everyCaller } from '../support/callers.js'
import { messages } from '../support/examples/messages.js'

everyCaller(messages)
