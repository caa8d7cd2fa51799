import { everyCaller } from '../support/callers.js'
import { administration } from '../support/examples/administration.js'

everyCaller(administration)
