import { everyCaller } from '../support/callers.js'
import { organization } from '../support/examples/organization.js'

everyCaller(organization)
