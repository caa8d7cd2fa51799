import { everyCaller } from '../support/callers.js'
import { access } from '../support/examples/access.js'

everyCaller(access)
