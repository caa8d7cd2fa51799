import type { Client } from './client.js'

/** The organization as a user sees it who registers. */
// eslint-disable-next-line typescript/no-explicit-any -- whatever the server says
export async function realmOf(client: Client): Promise<Record<string, any>> {
  return (await client.post('/register', { fetch_event_types: ['realm'] })).body
}
