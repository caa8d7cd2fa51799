import { writeHeapSnapshot } from 'node:v8'

import { createRedisBus } from '@parley/redis'
import { createClient } from '@redis/client'

import { CleanUp } from '../harness/clean-up.js'
import { startChat } from '../harness/host.js'
import { usedMemory } from '../harness/memory.js'
import { processorSecondsSince } from '../harness/processor-time.js'
import { serveTasks } from '../harness/serve-tasks.js'
import { BlockWatch } from './block-watch.js'
import type { ServerTasks } from './tasks.js'

const blocks = new BlockWatch()

// Unless it is told to stop, the process that started this one kills it, and removes its files.
const opened = new CleanUp()

serveTasks<ServerTasks>({
  async start({ database, plan, files, redisPort: port }) {
    const bus =
      port === undefined
        ? {}
        : { bus: createRedisBus(createClient({ socket: { host: '127.0.0.1', port } })) }
    const host = await startChat(opened, database, plan, { files, ...bus })
    return { port: host.port }
  },
  async watchBlocks() {
    blocks.start()
  },
  async reportBlocks() {
    return blocks.stop()
  },
  measureMemory: usedMemory,
  async writeSnapshot({ file }) {
    writeHeapSnapshot(file)
  },
  async processorSeconds() {
    return processorSecondsSince({ user: 0, system: 0 })
  },
  stop: () => opened.run(),
})
