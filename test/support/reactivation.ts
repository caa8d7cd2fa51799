import type { Answer, Client } from './client.js'
import type { HostCase } from './host.js'

/** Reactivates a user, and gives the client the user's new API key. */
export async function reactivate(
  at: Pick<HostCase, 'host'>,
  by: Client,
  user: Client,
): Promise<Answer> {
  const answer = await by.post(`/users/${user.id}/reactivate`)
  if (answer.status === 200) await renewKey(at, user)
  return answer
}

/** Gives the client of an active user a new API key. */
export async function renewKey({ host }: Pick<HostCase, 'host'>, user: Client): Promise<void> {
  const { api } = host.chat.as({ userId: user.id, organization: user.endpoint.subdomain })
  const { api_key: apiKey } = await api.regenerateOwnApiKey()
  user.credentials = { email: user.email, apiKey }
}
