import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { Client, type Answer } from '../support/client.js'
import { databaseColumns } from '../support/databases.js'
import { callerOf, type Example } from '../support/examples/example.js'
import { examples } from '../support/examples/index.js'
import { TestHost, type HostCase } from '../support/host.js'

// A dynamic import, because the tests do not otherwise depend on the internals of the core.
const { allOperations } = await import('../../packages/core/src/resources/index.js')

/** Calls that store nothing in the organization and answer with no secret, although they are no `GET`. */
const onlyReading = new Set([
  'get-file-temporary-urls',
  'render-message',
  'set-typing-status',
  'set-typing-status-for-message-edit',
  'update-presence',
])

/** Changes nothing. */
const timezone = Buffer.from('timezone=Europe%2FBerlin')

const refused = { status: 401, code: 'INVALID_API_KEY' }
const outcomeOf = ({ status, body }: Answer) => ({ status, code: body?.code as string })

/** The newest API key of a user. */
interface Holder {
  apiKey: string
}

/** A user whose key others replace. */
class UserOfKeys extends Client {
  constructor(
    like: Client,
    readonly holder: Holder,
  ) {
    super(like.endpoint, like.credentials, like.id, like.name)
  }

  override authorization(): Record<string, string> {
    return authorizationOf(this.email, this.holder.apiKey)
  }
}

/** A user of a second server, whose key is replaced at the first one before each request. */
class UserElsewhere extends UserOfKeys {
  readonly outcomes: { status: number; code: string }[] = []

  constructor(
    like: Client,
    holder: Holder,
    private readonly first: UserOfKeys,
  ) {
    super(like, holder)
  }

  override async send(...[method, path, body, headers]: Parameters<Client['send']>) {
    const old = authorizationOf(this.email, this.holder.apiKey)
    // After a write, the second server knows what the example has prepared at the first one.
    const written = await super.send('PATCH', '/settings', timezone, old)
    assert.equal(written.status, 200, written.text)
    const known = await super.send('GET', '/users/me', undefined, old)
    assert.equal(known.status, 200, known.text)
    const replaced = await this.first.post('/users/me/api_key/regenerate')
    assert.equal(replaced.status, 200, replaced.text)
    this.holder.apiKey = replaced.body.api_key
    this.outcomes.push(outcomeOf(await super.send(method, path, body, { ...old, ...headers })))
    const answer = await super.send(method, path, body, headers)
    if (path === '/users/me/api_key/regenerate') this.holder.apiKey = answer.body.api_key
    return answer
  }
}

function authorizationOf(email: string, apiKey: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}` }
}

for (const [index, database] of databaseColumns().entries()) {
  describe(`an API key that another server has replaced (${database.title})`, () => {
    const first = new TestHost('koa', database, { invitations: { confirmAddresses: false } })
    let second: TestHost
    let at: HostCase
    before(async () => {
      await first.start()
      second = await first.another('express', { invitations: { confirmAddresses: false } })
      const cast = await first.organization()
      const { alice, olga } = cast.people
      const people = { ...cast.people }
      for (const name of ['alice', 'olga'] as const) {
        const user = { alice, olga }[name]
        const holder = { apiKey: user.credentials?.apiKey ?? '' }
        people[name] = new UserOfKeys(user, holder)
      }
      at = { ...cast, people, host: first, clock: first.clock }
    })
    after(async () => {
      await second.stop()
      await first.stop()
    })

    const callElsewhere = async (example: Example): Promise<UserElsewhere> => {
      const caller = callerOf(example, at.people) as UserOfKeys
      const by = new UserElsewhere(second.clientOf(caller), caller.holder, caller)
      const { credentials } = by
      await example.call(at, by)
      // A user who was reactivated has a new key.
      if (by.credentials !== credentials) by.holder.apiKey = by.credentials?.apiKey ?? ''
      return by
    }

    for (const { id, method, access, answersWithSecrets = false } of allOperations) {
      const example = examples[id]
      if (example === undefined || access === 'anyone') continue
      if ((method === 'GET' && !answersWithSecrets) || onlyReading.has(id)) continue
      // Databases differ in how an organization is locked, not in what is done then.
      if (index > 0 && !['send-message', 'regenerate-own-api-key', 'register-queue'].includes(id))
        continue
      it(`is refused by ${id}`, async () => {
        const { outcomes } = await callElsewhere(example)

        assert.deepEqual(outcomes.at(-1), refused)
      })
    }
  })
}
