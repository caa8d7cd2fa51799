import { fileURLToPath } from 'node:url'

import type { LoadTasks } from '../load/tasks.js'
import type { CleanUp } from './clean-up.js'
import { TaskProcess } from './task-process.js'

const script = fileURLToPath(new URL('../load/load-process.ts', import.meta.url))

/** A process of its own that plays the clients, so that their work is not counted as the server's. */
export class LoadClient extends TaskProcess<LoadTasks> {
  constructor(opened: CleanUp) {
    super(opened, script)
  }
}
