import { writeHeapSnapshot } from 'node:v8'

import type { ChatServer } from '@parley/core'
import { createRedisBus } from '@parley/redis'
import { createClient } from '@redis/client'

import { CleanUp } from '../harness/clean-up.js'
import { startChat, startHost } from '../harness/host.js'
import { usedMemory } from '../harness/memory.js'
import { processorSecondsSince } from '../harness/processor-time.js'
import { countSqliteStatements } from '../harness/statement-count.js'
import { serveTasks } from '../harness/serve-tasks.js'
import { BlockWatch } from './block-watch.js'
import type { ServerTasks } from './tasks.js'

const blocks = new BlockWatch()
let chat: ChatServer | undefined

// Unless it is told to stop, the process that started this one kills it, and removes its files.
const opened = new CleanUp()

serveTasks<ServerTasks>({
  async start({ database, plan, files, redisPort: port }) {
    const bus =
      port === undefined
        ? {}
        : { bus: createRedisBus(createClient({ socket: { host: '127.0.0.1', port } })) }
    const options = { files, ...bus }
    const host =
      plan === undefined
        ? await startHost(opened, database, options)
        : await startChat(opened, database, plan, options)
    chat = host.chat
    return { port: host.port }
  },
  async signUp({ externalId }) {
    const start = performance.now()
    await chat
      ?.as({
        externalId,
        email: `newcomer${externalId}@bench.example`,
        fullName: `Newcomer ${externalId}`,
      })
      .id()
    return performance.now() - start
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
  async sqliteStatements() {
    return countSqliteStatements()
  },
  async processorSeconds() {
    return processorSecondsSince({ user: 0, system: 0 })
  },
  stop: () => opened.run(),
})
