import { everyCaller } from '../support/callers.js'
import { personal } from '../support/examples/personal.js'

everyCaller(personal)
