import type { Client } from './client.js'

/** The policies of the user for topics of these channels. */
export async function stored(client: Client, channelIds: readonly number[]): Promise<unknown[]> {
  const answer = await client.post('/register', { fetch_event_types: ['user_topic'] })
  return (
    answer.body.user_topics as {
      stream_id: number
      topic_name: string
      visibility_policy: number
    }[]
  )
    .filter(({ stream_id }) => channelIds.includes(stream_id))
    .map((row) => [row.stream_id, row.topic_name, row.visibility_policy])
}
