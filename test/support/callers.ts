import assert from 'node:assert/strict'
import { before, it } from 'node:test'

import type { CastOptions } from './cast.js'
import type { Answer, Client } from './client.js'
import { everyHost, type HostCase } from './host.js'

/** One user of each role, owner first, and a bot. */
const callers = ['olga', 'adam', 'mona', 'alice', 'gus', 'bot'] as const
export type Caller = (typeof callers)[number]

/** The reasons of rejections, with the response. */
const refusals = {
  owners: [400, 'UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner'],
  administrators: [400, 'UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator'],
  channelAdministrators: [
    400,
    'BAD_REQUEST',
    'You do not have permission to administer this channel.',
  ],
  notVisible: [400, 'BAD_REQUEST', 'Invalid channel ID'],
  noCreator: [400, 'BAD_REQUEST', 'User not authorized to create users'],
  noAddresses: [400, 'BAD_REQUEST', 'User not authorized to change user emails'],
  notPermitted: [400, 'BAD_REQUEST', 'Insufficient permission'],
  noGuests: [400, 'BAD_REQUEST', 'Not allowed for guest users'],
  noBots: [400, 'BAD_REQUEST', 'This endpoint does not accept bot requests.'],
  notAuthor: [400, 'BAD_REQUEST', 'Must be an organization administrator or emoji author'],
  anonymous: [401, 'UNAUTHORIZED', 'Not logged in: API authentication or user session required'],
  deactivated: [401, 'USER_DEACTIVATED', 'Account is deactivated'],
  hook: [401, 'UNAUTHORIZED', 'This API is not available to incoming webhook bots.'],
} as const

/** A call that succeeds for callers with permission. */
export type Call = (at: HostCase, by: Client) => Promise<Answer>

/**
 * Asserts which callers may use an operation: each role, a bot, and callers without an active
 * account.
 *
 * @param refused contains the reasons, for callers without permission.
 */
export function everyCaller(
  operationId: string,
  call: Call,
  refused: Partial<Record<Caller | 'hook', keyof typeof refusals | 'nothing'>> = {},
  options: CastOptions = {},
): void {
  everyHost(
    operationId,
    (at) => {
      let hook: Client
      before(async () => {
        const { alice } = at.people
        const names = { full_name: 'Hook', short_name: 'hook', bot_type: 2 }
        const { body } = await alice.post('/bots', names)
        const credentials = { email: 'hook-bot@users.invalid', apiKey: body.api_key as string }
        hook = at.host.client(at.subdomain, credentials, body.user_id as number, 'hook')
      })

      it('accepts calls by exactly the permitted callers', async () => {
        const outcomes: [string, unknown][] = []
        const expected: [string, unknown][] = []
        const expect = async (name: string, by: Client, reason?: keyof typeof refusals) => {
          const { status, body, text } = await call(at, by)
          const isAllowed = status === 200
          outcomes.push([name, isAllowed ? 'allowed' : [status, body?.code, body?.msg ?? text]])
          expected.push([name, reason === undefined ? 'allowed' : refusals[reason]])
        }
        for (const name of callers) await expect(name, at.people[name], reasonOf(name))
        await expect('nobody', at.nobody, 'anonymous')
        await expect('dora', at.people.dora, 'deactivated')
        await expect('hook', hook, refused.hook === 'nothing' ? undefined : 'hook')

        assert.deepEqual(outcomes, expected)
      })
    },
    options,
  )

  function reasonOf(name: Caller): keyof typeof refusals | undefined {
    const reason = refused[name]
    return reason === 'nothing' ? undefined : reason
  }
}
