import Koa from 'koa'

import { withCleanUp } from '../harness/clean-up.js'
import { sqlite } from '../harness/databases.js'
import { listen, startChat } from '../harness/host.js'
import { interleave, series, type Sample } from '../harness/interleave.js'
import { LoadClient } from '../harness/load-client.js'
import { authorizationOf, numbers } from '../harness/organization.js'
import { processorSecondsSince } from '../harness/processor-time.js'
import { registerQueues } from '../harness/queues.js'
import type { Row } from '../harness/row.js'
import { getRequest } from '../load/http-connection.js'

const connectionCount = 50
const sampleMilliseconds = 1200

/** `GET /events?dont_block=true` on a queue without news, against a Koa route that answers as much. */
export const idlePoll: Row = {
  name: 'GET /events, dont_block',
  run: () =>
    withCleanUp(async (opened) => {
      const load = new LoadClient(opened)
      const database = await sqlite.create(opened)
      const host = await startChat(opened, database, {
        users: connectionCount,
        subscribers: [connectionCount],
      })
      const queues = await registerQueues(load, host.port, numbers(connectionCount))
      const ours = queues.map(({ userId, queueId, lastEventId }) => [
        getRequest(
          `/api/v1/events?queue_id=${queueId}&last_event_id=${lastEventId}&dont_block=true`,
          authorizationOf(userId),
        ),
      ])
      const app = new Koa()
      app.use((ctx) => {
        ctx.body = {
          result: 'success',
          msg: '',
          events: [],
          queue_id: 'AbCdEfGh-AbCdEfGhIjKlMnOpQrStUvWx',
        }
      })
      const callback = app.callback()
      const floor = await listen(opened, (request, response) => {
        callback(request, response).catch(() => response.destroy())
      })
      const measure = async (
        port: number,
        connections: readonly (readonly string[])[],
      ): Promise<Sample> => {
        const start = process.cpuUsage()
        const { count, seconds } = await load.call('keepBusy', {
          port,
          connections,
          milliseconds: sampleMilliseconds,
        })
        return {
          perSecond: count / seconds,
          perProcessorSecond: count / processorSecondsSince(start),
        }
      }
      const rounds = await interleave(
        () => measure(floor.port, ours),
        () => measure(host.port, ours),
      )
      return [
        {
          name: 'GET /events?dont_block=true, idle queue',
          unit: 'requests/s',
          floor: series(rounds.floor, 'perSecond'),
          ours: series(rounds.ours, 'perSecond'),
          aim: { atLeast: 0.5 },
        },
        {
          name: 'the same per processor second',
          unit: 'requests/CPU s',
          floor: series(rounds.floor, 'perProcessorSecond'),
          ours: series(rounds.ours, 'perProcessorSecond'),
          aim: undefined,
        },
      ]
    }),
}
