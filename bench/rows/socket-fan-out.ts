import { WebSocketServer, type WebSocket } from 'ws'

import { withCleanUp, type CleanUp } from '../harness/clean-up.js'
import { sqlite } from '../harness/databases.js'
import { HeldBus } from '../harness/held-bus.js'
import { listen, startChat } from '../harness/host.js'
import { interleave, series, type Sample } from '../harness/interleave.js'
import { LoadClient } from '../harness/load-client.js'
import { messageAnswer } from '../harness/message-answer.js'
import { authorizationOf, numbers } from '../harness/organization.js'
import { processorSeconds } from '../harness/processor-time.js'
import { registerQueues } from '../harness/queues.js'
import type { Row } from '../harness/row.js'

/** The storing of the message is not what is measured: few users with many connections each. */
const userCount = 25
const socketsPerUser = 40
const socketCount = userCount * socketsPerUser
const messagesPerRound = 20
const marker = 'the quick brown fox'
/** The same for all, as a product would send it that broadcasts. */
const sampleFrame = Buffer.from(messageAnswer(marker))

/** Committed messages to 1,000 connected clients, against `ws` sending the same bytes to all. */
export const socketFanOut: Row = {
  name: 'WebSocket fan-out',
  run: () =>
    withCleanUp(async (opened) => {
      const floor = await startFloor(new LoadClient(opened), opened)
      const ours = await startOurs(new LoadClient(opened), opened)
      const rounds = await interleave(floor, ours)
      return [
        {
          name: `WebSocket fan-out, ${socketCount} sockets`,
          unit: 'deliveries/CPU s',
          floor: series(rounds.floor, 'deliveries'),
          ours: series(rounds.ours, 'deliveries'),
          aim: { atLeast: 0.9 },
        },
      ]
    }),
}

async function startOurs(load: LoadClient, opened: CleanUp): Promise<() => Promise<Sample>> {
  const database = await sqlite.create(opened)
  const bus = new HeldBus()
  const { chat, port } = await startChat(
    opened,
    database,
    { users: userCount, subscribers: [userCount] },
    { bus, logPollMilliseconds: 0 },
  )
  const sender = chat.as({ userId: 1 })
  const queues = await registerQueues(
    load,
    port,
    numbers(userCount).flatMap((userId) => Array<number>(socketsPerUser).fill(userId)),
  )
  await load.call('openSockets', {
    marker,
    sockets: queues.map(({ userId, queueId, lastEventId }) => ({
      url: `ws://127.0.0.1:${port}/api/v1/events?queue_id=${queueId}&last_event_id=${lastEventId}`,
      authorization: authorizationOf(userId),
    })),
  })
  const store = async (): Promise<void> => {
    bus.hold()
    await sender.api.sendMessage({ type: 'channel', to: 1, topic: 'greetings', content: marker })
  }
  return deliveriesOf(load, store, () => bus.release())
}

async function startFloor(load: LoadClient, opened: CleanUp): Promise<() => Promise<Sample>> {
  const { server, port } = await listen(opened)
  const sockets: WebSocket[] = []
  const webSockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  server.on('upgrade', (request, socket, head) => {
    webSockets.handleUpgrade(request, socket, head, (webSocket) => sockets.push(webSocket))
  })
  opened.add(() => webSockets.close())
  await load.call('openSockets', {
    marker,
    sockets: numbers(socketCount).map(() => ({
      url: `ws://127.0.0.1:${port}/`,
      authorization: '',
    })),
  })
  const store = async (): Promise<void> => {}
  return deliveriesOf(load, store, () => {
    for (const socket of sockets) socket.send(sampleFrame, { binary: false })
  })
}

/** Delivers messages one after the other, as fast as all sockets get them. */
function deliveriesOf(
  load: LoadClient,
  store: () => Promise<void>,
  deliver: () => void,
): () => Promise<Sample> {
  let expected = 0
  return async () => {
    let seconds = 0
    for (let message = 0; message < messagesPerRound; message += 1) {
      await store()
      expected += socketCount
      seconds += await processorSeconds(async () => {
        deliver()
        await load.call('awaitEvents', { count: expected })
      })
    }
    return { deliveries: (messagesPerRound * socketCount) / seconds }
  }
}
