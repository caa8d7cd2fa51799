import { everyCaller } from '../support/callers.js'
import { accounts } from '../support/examples/accounts.js'

everyCaller(accounts)
