import assert from 'node:assert/strict'
import { before, it } from 'node:test'

import type { Client } from './client.js'
import { refusals, roles, type Examples, type PermittedCall } from './examples/example.js'
import { everyHost, type HostCase, type HostOptions } from './host.js'

/** Asserts who may call operations: each role, a bot, and callers without an active account. */
export function everyCaller(examples: Examples): void {
  for (const [id, { others = [], server, ...example }] of Object.entries(examples)) {
    for (const permitted of [example, ...others]) callersOf(id, permitted, server)
  }
}

function callersOf(
  operationId: string,
  { call, refused }: PermittedCall,
  server: HostOptions | undefined,
): void {
  const cases = (at: HostCase): void => {
    let hook: Client
    before(async () => {
      const { alice } = at.people
      const names = { full_name: 'Hook', short_name: 'hook', bot_type: 2 }
      const { body } = await alice.post('/bots', names)
      const credentials = { email: 'hook-bot@users.invalid', apiKey: body.api_key }
      hook = at.host.client(at.subdomain, credentials, body.user_id, 'hook')
    })

    it('accepts calls by exactly the permitted callers', async () => {
      const { nobody, people } = at
      const reasons = {
        nobody: 'anonymous',
        dora: 'deactivated',
        hook: 'hook',
        ...refused,
      } as const
      const outcomes: [string, unknown][] = []
      const expected: [string, unknown][] = []
      // The bot first: a call may replace its key.
      for (const by of [hook, ...roles.map((name) => people[name]), nobody, people.dora]) {
        const { status, body, text } = await call(at, by)
        const isAllowed = status === 200
        outcomes.push([by.name, isAllowed ? 'allowed' : [status, body?.code, body?.msg ?? text]])
        const reason = reasons[by.name as keyof typeof reasons] ?? 'nothing'
        expected.push([by.name, reason === 'nothing' ? 'allowed' : refusals[reason]])
      }

      assert.deepEqual(outcomes, expected)
    })
  }
  everyHost(operationId, cases, {}, server)
}
