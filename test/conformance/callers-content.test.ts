import { everyCaller } from '../support/callers.js'
import { contents } from '../support/examples/content.js'

everyCaller(contents)
