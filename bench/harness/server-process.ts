import { fileURLToPath } from 'node:url'

import type { ServerTasks } from '../server/tasks.js'
import type { CleanUp } from './clean-up.js'
import { TaskProcess } from './task-process.js'

const script = fileURLToPath(new URL('../server/server-process.ts', import.meta.url))

/** A process of its own for the server, where what the measurement does must not be counted. */
export class ServerProcess extends TaskProcess<ServerTasks> {
  constructor(opened: CleanUp, nodeOptions: readonly string[] = []) {
    super(opened, script, nodeOptions)
  }
}
