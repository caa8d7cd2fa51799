import { withCleanUp } from '../harness/clean-up.js'
import { sqlite } from '../harness/databases.js'
import { ownPath, startChat } from '../harness/host.js'
import { interleave, series, type Sample } from '../harness/interleave.js'
import { LoadClient } from '../harness/load-client.js'
import { authorizationOf, numbers } from '../harness/organization.js'
import type { Row } from '../harness/row.js'
import { getRequest, postRequest } from '../load/http-connection.js'

const senderCount = 20
const calibrationMilliseconds = 1500
const sampleMilliseconds = 1500
const share = 0.8
const hostRequestsPerSecond = 200

/** A route of the application itself, alone and while people chat as much as 80 % of what fits. */
export const hostRoute: Row = {
  name: "the host's own route",
  run: () =>
    withCleanUp(async (opened) => {
      const chatLoad = new LoadClient(opened)
      const hostLoad = new LoadClient(opened)
      const { port } = await startChat(opened, await sqlite.create(opened), {
        users: senderCount,
        subscribers: [senderCount],
      })
      const connections = numbers(senderCount).map((userId) => [
        postRequest('/api/v1/messages', authorizationOf(userId), {
          type: 'channel',
          to: '1',
          topic: 'greetings',
          content: 'The quick brown fox',
        }),
      ])
      const asHost = async (): Promise<Sample> => {
        const { p50Milliseconds, p99Milliseconds } = await hostLoad.call('keepPace', {
          port,
          connections: numbers(10).map(() => [getRequest(ownPath, '')]),
          milliseconds: sampleMilliseconds,
          requestsPerSecond: hostRequestsPerSecond,
        })
        return { p50Milliseconds, p99Milliseconds }
      }
      const calibrate = { port, connections, milliseconds: calibrationMilliseconds }
      await chatLoad.call('keepBusy', calibrate)
      const { count, seconds } = await chatLoad.call('keepBusy', calibrate)
      const rounds = await interleave(asHost, async () => {
        const chatting = chatLoad.call('keepPace', {
          port,
          connections,
          milliseconds: sampleMilliseconds,
          requestsPerSecond: (share * count) / seconds,
        })
        const sample = await asHost()
        await chatting
        return sample
      })
      return [
        {
          name: "the host's own route while the chat runs at 80 %, p99",
          unit: 'ms',
          floor: series(rounds.floor, 'p99Milliseconds'),
          ours: series(rounds.ours, 'p99Milliseconds'),
          aim: { atMost: 1.5 },
        },
        {
          name: 'the same, p50',
          unit: 'ms',
          floor: series(rounds.floor, 'p50Milliseconds'),
          ours: series(rounds.ours, 'p50Milliseconds'),
          aim: undefined,
        },
      ]
    }),
}
