import type { Client } from './client.js'
import type { HostCase } from './host.js'
import type { UncheckedJson } from './unchecked-json.js'

let count = 0
/** Names that no other case uses. */
export function freshBot(): { full_name: string; short_name: string } {
  count += 1
  return { full_name: `Helper No ${count}`, short_name: `helper${count}` }
}

/** Creates a bot of the owner, generic unless `params` contains another type. */
export async function makeBot(
  owner: Client,
  params: Readonly<Record<string, unknown>> = {},
): Promise<{ user_id: number; api_key: string; full_name: string; email: string }> {
  const names = freshBot()
  const answer = await owner.post('/bots', { ...names, ...params })
  if (answer.status !== 200) throw new Error(`Creating a bot failed: ${answer.text}`)
  const { user_id, api_key } = answer.body as { user_id: number; api_key: string }
  const email = `${names.short_name}-bot@users.invalid`
  return { user_id, api_key, full_name: names.full_name, email }
}

/** A client of a created bot. */
export const clientOfBot = (at: HostCase, bot: { email: string; api_key: string }): Client =>
  at.host.client(at.subdomain, { email: bot.email, apiKey: bot.api_key }, 0, 'made bot')

/** The bots that a user manages, in the user's snapshot. */
export async function managedBy(client: Client): Promise<UncheckedJson[]> {
  return (await client.post('/register', { fetch_event_types: ['realm_bot'] })).body.realm_bots
}
