import { postRequest } from '../load/http-connection.js'
import type { LoadClient } from './load-client.js'
import { authorizationOf } from './organization.js'

export interface RegisteredQueue {
  readonly userId: number
  readonly queueId: string
  readonly lastEventId: number
}

/** Registers a queue for each of the users. */
export async function registerQueues(
  load: LoadClient,
  port: number,
  userIds: readonly number[],
  eventTypes: readonly string[] = ['message'],
): Promise<RegisteredQueue[]> {
  const bodies = await load.call('askAll', {
    port,
    requests: userIds.map((userId) =>
      postRequest('/api/v1/register', authorizationOf(userId), {
        event_types: JSON.stringify(eventTypes),
        fetch_event_types: '[]',
        apply_markdown: 'true',
      }),
    ),
  })
  return bodies.map((body, index) => {
    const { queue_id, last_event_id } = JSON.parse(body) as {
      queue_id: string
      last_event_id: number
    }
    return { userId: userIds[index] as number, queueId: queue_id, lastEventId: last_event_id }
  })
}
