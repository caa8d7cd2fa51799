import { everyCaller } from '../support/callers.js'
import { groups } from '../support/examples/groups.js'

everyCaller(groups)
