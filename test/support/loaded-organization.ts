import { after, before, describe } from 'node:test'

import type { Client } from './client.js'
import { databaseColumns, reportSkippedColumns, type DatabaseColumn } from './databases.js'
import { TestHost } from './host.js'
import { richOrganization } from './rich-organization.js'
import type { UncheckedJson } from './unchecked-json.js'

export type Row = Record<string, UncheckedJson>

type Rich = ReturnType<typeof richOrganization>

/** An organization that was loaded from a file with items of every kind. */
export interface LoadedCase extends Rich {
  readonly database: DatabaseColumn
  readonly people: Record<keyof Rich['credentials'], Client>
  /** The snapshot of Alice's client. */
  readonly registered: Row
  /** The id of a group. */
  readonly group: (name: string) => number
}

/** Runs the cases on every database, each time in a newly loaded organization. */
export function everyLoaded(title: string, cases: (at: LoadedCase) => void): void {
  reportSkippedColumns()
  for (const database of databaseColumns()) {
    describe(`${title} of an organization file (${database.name})`, () => {
      const host = new TestHost('express', database)
      const rich = richOrganization('rich', 5000)
      const loaded = { ...rich, database } as LoadedCase
      before(async () => {
        await host.start()
        await host.chat.organizations.load(rich.file)
        const names = Object.keys(rich.credentials) as (keyof Rich['credentials'])[]
        const people = Object.fromEntries(
          names.map((name) => {
            const client = host.client('rich', rich.credentials[name], rich.id[name], name)
            return [name, client]
          }),
        ) as LoadedCase['people']
        const client_capabilities = {
          notification_settings_null: true,
          linkifier_url_template: true,
        }
        const { body } = await people.alice.post('/register', { client_capabilities })
        const groups = body.realm_user_groups as Row[]
        const group = (name: string): number =>
          groups.find((row) => row['name'] === name)?.['id'] as number
        Object.assign(loaded, { people, registered: body, group })
      })
      after(() => host.stop())
      cases(loaded)
    })
  }
}

/** All messages that the client can read, by id. */
export async function messagesOf(client: Client): Promise<Map<number, Row>> {
  const { body } = await client.get('/messages', {
    anchor: 'oldest',
    num_before: 0,
    num_after: 100,
    client_gravatar: false,
  })
  return new Map(body.messages.map((message: Row) => [message['id'], message]))
}
