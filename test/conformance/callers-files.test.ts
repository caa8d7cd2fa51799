import { everyCaller } from '../support/callers.js'
import { files } from '../support/examples/files.js'

everyCaller(files)
