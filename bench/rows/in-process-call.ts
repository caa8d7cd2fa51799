import { withCleanUp } from '../harness/clean-up.js'
import { sqlite } from '../harness/databases.js'
import { startChat } from '../harness/host.js'
import { interleave, series, type Sample } from '../harness/interleave.js'
import { LoadClient } from '../harness/load-client.js'
import { authorizationOf, numbers } from '../harness/organization.js'
import { processorSeconds } from '../harness/processor-time.js'
import type { Row } from '../harness/row.js'
import { getRequest } from '../load/http-connection.js'

const callsPerSample = 100
const messageCount = 40
const newest = { anchor: 'newest', num_before: 20, num_after: 0 } as const

/** The same operation over HTTP, and by `chat.as`. */
export const inProcessCall: Row = {
  name: 'call in process',
  run: () =>
    withCleanUp(async (opened) => {
      const load = new LoadClient(opened)
      const { chat, port } = await startChat(opened, await sqlite.create(opened), {
        users: 2,
        subscribers: [2],
      })
      const { api } = chat.as({ userId: 2 })
      for (const number of numbers(messageCount)) {
        await api.sendMessage({ type: 'channel', to: 1, topic: 'tea', content: `Cup ${number}` })
      }
      const query = new URLSearchParams({ anchor: 'newest', num_before: '20', num_after: '0' })
      const request = getRequest(`/api/v1/messages?${query}`, authorizationOf(2))
      const requests = numbers(callsPerSample).map(() => request)
      const rounds = await interleave(
        () => perSecond(() => load.call('askAll', { port, requests, dropBodies: true })),
        () =>
          perSecond(async () => {
            for (const _ of requests) await api.getMessages(newest)
          }),
      )
      return [
        {
          name: '20 messages, over HTTP vs in process',
          unit: 'calls/CPU s',
          floor: series(rounds.floor, 'perSecond'),
          ours: series(rounds.ours, 'perSecond'),
          aim: { atLeast: 1 },
        },
      ]
    }),
}

async function perSecond(work: () => Promise<unknown>): Promise<Sample> {
  const seconds = await processorSeconds(async () => {
    await work()
  })
  return { perSecond: callsPerSample / seconds }
}
