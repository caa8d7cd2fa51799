import type { Client } from './client.js'
import type { UncheckedJson } from './unchecked-json.js'

/** The organization in the snapshot of a user. */
export async function realmOf(client: Client): Promise<Record<string, UncheckedJson>> {
  return (await client.post('/register', { fetch_event_types: ['realm'] })).body
}
