import { withCleanUp } from '../harness/clean-up.js'
import { onEveryDatabase, type BenchDatabaseKind } from '../harness/databases.js'
import { ownPath, startChat } from '../harness/host.js'
import { interleave, series, type Sample } from '../harness/interleave.js'
import { LoadClient } from '../harness/load-client.js'
import { authorizationOf, numbers } from '../harness/organization.js'
import { processorSecondsSince } from '../harness/processor-time.js'
import type { Result, Row } from '../harness/row.js'
import { getRequest, postRequest, type LoadRequest } from '../load/http-connection.js'

const userCount = 100
const messageCount = 150
const sampleMilliseconds = 700

/** Calls of one client, one after another, beside a route of the application that does nothing. */
export const oneCall: Row = {
  name: 'one call',
  run: () => onEveryDatabase(measure),
}

function measure(kind: BenchDatabaseKind): Promise<readonly Result[]> {
  return withCleanUp(async (opened) => {
    const load = new LoadClient(opened)
    const { chat, port } = await startChat(opened, await kind.create(opened), {
      users: userCount,
      subscribers: [userCount],
    })
    const { api } = chat.as({ userId: 1 })
    for (const number of numbers(messageCount)) {
      const content = `The quick brown fox ${number}`
      await api.sendMessage({ type: 'channel', to: 1, topic: 'greetings', content })
    }
    const reader = authorizationOf(2)
    const page = '/api/v1/messages?anchor=newest&num_before=100&num_after=0'
    const message = { type: 'channel', to: '1', topic: 'greetings', content: 'One more' }
    const calls = {
      'GET /users/me': [getRequest('/api/v1/users/me', reader)],
      // Of all readers in turn: each has a message that came after their last call.
      'a call after a message': numbers(userCount).flatMap((userId) => [
        postRequest('/api/v1/messages', authorizationOf(1), message),
        getRequest('/api/v1/users/me', authorizationOf(userId)),
      ]),
      'GET /messages, newest 100': [getRequest(page, reader)],
      'POST /messages': [postRequest('/api/v1/messages', authorizationOf(1), message)],
    }
    const sample = async (requests: readonly LoadRequest[]): Promise<Sample> => {
      const start = process.cpuUsage()
      const { count, seconds } = await load.call('keepBusy', {
        port,
        connections: [requests],
        milliseconds: sampleMilliseconds,
      })
      return {
        milliseconds: (seconds * 1000) / count,
        processorMilliseconds: (processorSecondsSince(start) * 1000) / count,
      }
    }
    const results: Result[] = []
    for (const [name, requests] of Object.entries(calls)) {
      const rounds = await interleave(
        () => sample([getRequest(ownPath, '')]),
        () => sample(requests),
      )
      for (const unit of ['milliseconds', 'processorMilliseconds']) {
        results.push({
          name: `${name}, ${kind.name}`,
          unit: unit === 'milliseconds' ? 'ms' : 'CPU ms',
          floor: series(rounds.floor, unit),
          ours: series(rounds.ours, unit),
          aim: undefined,
        })
      }
    }
    return results
  })
}
