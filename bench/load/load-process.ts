import { PollLoad } from './poll-load.js'
import { askAll, keepBusy, keepPace } from './request-load.js'
import { SocketLoad } from './socket-load.js'
import type { LoadTasks, TaskCall, TaskReply } from './tasks.js'

let pollers: PollLoad | undefined
let sockets: SocketLoad | undefined

const tasks: LoadTasks = {
  keepBusy,
  keepPace,
  askAll,
  async openPollers(task) {
    pollers = new PollLoad(task)
  },
  async pollOnce({ marker }) {
    await pollers?.pollOnce(marker)
  },
  async closePollers() {
    pollers?.close()
  },
  async openSockets(task) {
    sockets = new SocketLoad()
    await sockets.open(task)
  },
  async awaitEvents({ count }) {
    await sockets?.awaitEvents(count)
  },
  async closeSockets() {
    sockets?.close()
  },
}

process.on('message', ({ call, task, parameters }: TaskCall) => {
  const reply = (rest: Omit<TaskReply, 'call'>): void => {
    process.send?.({ call, ...rest })
  }
  tasks[task](parameters).then(
    (value: unknown) => reply({ value }),
    (error: unknown) => reply({ error: String((error as Error).stack ?? error) }),
  )
})
// The measurement's process is gone; nobody wants the load any more.
process.on('disconnect', () => process.exit())
