import type { Client } from './client.js'
import type { UncheckedJson } from './unchecked-json.js'

/** Creates a group for a case. @returns its id. */
export async function makeGroup(
  creator: Client,
  name: string,
  params: Readonly<Record<string, unknown>> = {},
): Promise<number> {
  const answer = await creator.post('/user_groups/create', {
    name,
    description: `About ${name}`,
    members: [],
    ...params,
  })
  if (answer.status !== 200) throw new Error(`Creating a group failed: ${answer.text}`)
  return answer.body.group_id
}

/** A group in the client's list, by name. */
export async function findGroup(client: Client, name: string): Promise<UncheckedJson> {
  const answer = await client.get('/user_groups', { include_deactivated_groups: true })
  const groups = answer.body.user_groups as { name: string }[]
  return groups.find((group) => group.name === name)
}

/** The id of a system group. */
export async function systemGroupId(client: Client, name: string): Promise<number> {
  return (await findGroup(client, name)).id as number
}
