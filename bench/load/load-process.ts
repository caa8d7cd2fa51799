import { serveTasks } from '../harness/serve-tasks.js'
import { flood } from './flood-load.js'
import { PollLoad } from './poll-load.js'
import { askAll, keepBusy, keepPace, timeRequest } from './request-load.js'
import { SoakClients } from './soak-clients.js'
import { SoakRequests } from './soak-requests.js'
import { SocketLoad } from './socket-load.js'
import type { LoadTasks } from './tasks.js'

let pollers: PollLoad | undefined
let sockets: SocketLoad | undefined
let clients: SoakClients | undefined
const mix = new SoakRequests()

const tasks: LoadTasks = {
  keepBusy,
  keepPace,
  flood,
  askAll,
  timeRequest,
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
  sendMix: (task) => mix.run(task),
  async openClients(task) {
    clients = new SoakClients(task)
    await clients.open()
  },
  async reconnectClients(task) {
    await opened(clients).reconnect(task)
  },
  async reportClients() {
    return opened(clients).report()
  },
  async compareHistories({ users }) {
    return opened(clients).compareHistories(users)
  },
  async compareMessages({ userId, messages }) {
    return opened(clients).compareMessages(userId, messages)
  },
  async closeClients() {
    clients?.close()
  },
}

serveTasks(tasks)

function opened(value: SoakClients | undefined): SoakClients {
  if (value === undefined) throw new Error('There are no clients')
  return value
}
