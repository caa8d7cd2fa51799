import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { HostIdentity, PasswordVerdict } from '@parley/core'

import type { Answer } from '../support/client.js'
import { everyDatabase, type HostCase } from '../support/host.js'

const person = { externalId: 'p-8', email: 'p-8@product.example', fullName: 'Person' }

/** Identities that cannot be users, and the error message of each. */
const wrong: readonly [Readonly<Record<string, unknown>>, string][] = [
  [
    { externalId: 'x'.repeat(191) },
    'externalId must be an integer or a string of 1 to 190 characters, not another string',
  ],
  [
    { externalId: 1.5 },
    'externalId must be an integer or a string of 1 to 190 characters, not another number',
  ],
  [{ email: undefined }, 'email is missing'],
  [{ email: 'top secret' }, 'email must be an e-mail address, not another string'],
  [{ email: 'a\u202E@product.example' }, 'email must be an e-mail address, not another string'],
  [{ fullName: '\u202E\u200B' }, 'fullName must be a string that is not blank, not another string'],
  [{ fullName: ['Person'] }, 'fullName must be a string that is not blank, not an array'],
  [
    { role: 'admin' },
    'role must be 100 (owner), 200 (administrator), 300 (moderator), 400 (member) or 600 (guest), not another string',
  ],
  [
    { email: true, fullName: null },
    'email must be an e-mail address, not a boolean; fullName is missing',
  ],
]

/** The session of the application is in the header, as JSON. */
const inHeader = {
  identify: ({ headers }: { headers: NodeJS.Dict<string | string[]> }) => {
    const session = headers['x-session']
    return session === undefined
      ? null
      : (JSON.parse(decodeURIComponent(String(session))) as HostIdentity)
  },
}

function headerOf(session: unknown): Readonly<Record<string, string>> {
  return { 'x-session': encodeURIComponent(JSON.stringify(session)) }
}

function ask(at: HostCase, session: unknown): Promise<Answer> {
  return at.nobody.get('/users/me', {}, headerOf(session))
}

/** Returns the log's lines without stacks, and clears the log. */
const takeLog = (at: HostCase): string[] =>
  at.host.log.splice(0).map((line) => line.split('\n')[0] ?? '')

everyDatabase(
  'what identify returns',
  'express',
  (at) => {
    it('may have a number as the id, which equals its text', async () => {
      const asNumber = await ask(at, { ...person, externalId: 7007 })
      const asText = await ask(at, { ...person, externalId: '7007' })
      const { subdomain: organization } = at
      const acting = at.host.chat.as({ externalId: 7007, organization })

      assert.equal(asNumber.status, 200)
      assert.equal(asText.body.user_id, asNumber.body.user_id)
      assert.equal(await acting.id(), asNumber.body.user_id)
    })

    it('is a 500 if it cannot be a user, and the log contains the reason without the values', async () => {
      takeLog(at)

      for (const [part, problem] of wrong) {
        const { status, body } = await ask(at, { ...person, ...part })

        assert.deepEqual([status, body.code], [500, 'INTERNAL_SERVER_ERROR'])
        assert.deepEqual(takeLog(at), [`identify: ${problem} {}`])
      }
      assert.equal((await ask(at, 'ada')).status, 500)
      assert.deepEqual(takeLog(at), [
        'identify: must be an object with externalId, email and fullName, not another string {}',
      ])
    })

    it('never removes the role of the only owner, which is logged once', async () => {
      const { chat } = at.host
      const subdomain = `owned-${at.unknownId}`
      const owner = { externalId: 1, email: 'olga@owned.example', fullName: 'Olga' }
      const { organizationId, ownerId } = await chat.organizations.create({
        name: 'Owned',
        subdomain,
        owner,
      })
      const asMember = { ...owner, role: 400, organization: subdomain } as const
      const roleNow = async (): Promise<unknown> => {
        const userId = await chat.as({ ...owner, organization: subdomain }).id()
        const headers = { ...headerOf(owner), 'x-organization': subdomain }
        assert.equal(userId, ownerId)
        return (await at.nobody.get('/users/me', {}, headers)).body.role
      }
      takeLog(at)

      await chat.as(asMember).id()
      await chat.as({ ...asMember, fullName: 'Olga Owner' }).id()

      assert.equal(await roleNow(), 100)
      assert.deepEqual(takeLog(at), [
        `The application's login would remove the only owner's role; it is kept ${JSON.stringify({
          organizationId,
          userId: ownerId,
          role: 400,
        })}`,
      ])

      await chat.as({ ...person, role: 100, organization: subdomain }).id()
      await chat.as(asMember).id()

      assert.equal(await roleNow(), 400)
      assert.deepEqual(takeLog(at), [])
    })
  },
  inHeader,
)

everyDatabase('chat.as', 'koa', (at) => {
  it('rejects an identity that cannot be a user, with the reason', async () => {
    const { subdomain: organization } = at

    for (const [part, problem] of wrong) {
      const acting = () => at.host.chat.as({ ...person, ...part, organization } as never)
      const isName = 'externalId' in part
      assert.throws(acting, {
        name: 'TypeError',
        message: isName ? /^chat\.as: needs userId/ : `chat.as: ${problem}`,
      })
    }
    const { email: _, ...withoutAddress } = person
    assert.throws(() => at.host.chat.as({ ...withoutAddress, organization } as never), {
      message: 'chat.as: email is missing',
    })
    await assert.rejects(at.host.chat.as({ externalId: 'p-8', organization }).id(), /No such user/)
  })

  it('rejects a reference to no user', async () => {
    for (const reference of [undefined, 7, {}, { id: 7 }, { userId: '7' }, { externalId: '' }]) {
      const acting = () => at.host.chat.as(reference as never)
      assert.throws(acting, /^TypeError: chat.as: needs userId, an integer, or externalId/)
    }
  })

  it('rejects a channel message without a topic, as the endpoint does', async () => {
    const { alice } = at.people
    const user = at.host.chat.as({ userId: alice.id, organization: at.subdomain })
    const message = { type: 'channel', to: at.channels.design, content: 'x' } as const

    const answer = await alice.post('/messages', message)

    const { code, msg } = answer.body
    assert.deepEqual([answer.status, msg], [400, 'Missing topic'])
    await assert.rejects(user.api.sendMessage(message), { name: 'ChatError', code, message: msg })
    assert.ok((await user.api.sendMessage({ ...message, topic: '' })).id > 0)
    const end = at.host.chat.before('sendMessage', () => ({ topic: 'from the hook' }))
    assert.ok((await user.api.sendMessage(message)).id > 0)
    end()
  })

  it('rejects a deactivated user and organization, as the endpoint does', async () => {
    const { alice, dora } = at.people
    const { subdomain: organization } = at
    const { chat } = at.host
    const user = chat.as({ userId: alice.id, organization })
    const message = { type: 'direct', to: [alice.id], content: 'x' } as const
    const closedAccount = await dora.get('/users/me')
    await requireSameRefusal(closedAccount, () => chat.as({ userId: dora.id, organization }).id())

    await chat.organizations.deactivate(organization)
    const closed = await alice.get('/users/me')

    for (const acting of [
      () => chat.as({ userId: alice.id, organization }).id(),
      () => chat.as({ ...person, organization }).id(),
      () => user.api.sendMessage(message),
    ]) {
      await requireSameRefusal(closed, acting)
    }
    await chat.organizations.reactivate(organization)
    await assert.rejects(
      chat.as({ externalId: person.externalId, organization }).id(),
      /No such user/,
    )
    assert.ok((await user.api.sendMessage(message)).id > 0)
  })
})

async function requireSameRefusal(
  { status, body }: Answer,
  acting: () => Promise<unknown>,
): Promise<void> {
  assert.equal(status, 401)
  await assert.rejects(acting, { name: 'ChatError', status, code: body.code, message: body.msg })
}

/** The identities that the application's user table returns for the password, by name. */
const verdicts = new Map<string, unknown>()

everyDatabase(
  'what a password authenticator returns',
  'express',
  (at) => {
    const logIn = (username: string): Promise<Answer> =>
      at.nobody.post('/fetch_api_key', { username, password: 'right' })

    it('may have a number as the id', async () => {
      verdicts.set('number@product.example', { ...person, externalId: 8008 })

      const { status, body } = await logIn('number@product.example')

      assert.equal(status, 200)
      const { subdomain: organization } = at
      assert.equal(await at.host.chat.as({ externalId: 8008, organization }).id(), body.user_id)
    })

    it('is an error of that authenticator if it cannot be a user', async () => {
      takeLog(at)

      for (const [index, [part, problem]] of wrong.entries()) {
        const name = `wrong${index}@product.example`
        verdicts.set(name, { ...person, ...part })

        const { status, body } = await logIn(name)

        assert.deepEqual([status, body.code], [503, 'SERVICE_UNAVAILABLE'])
        const [line = ''] = takeLog(at)
        assert.ok(
          line.startsWith(`A password authenticator failed: authenticate(): ${problem} `),
          line,
        )
      }
    })

    it('may be null for an unknown name', async () => {
      verdicts.set('unknown@product.example', null)

      const { body } = await logIn('unknown@product.example')

      assert.equal(body.code, 'AUTHENTICATION_FAILED')
    })
  },
  {
    passwordAuthenticators: [
      {
        method: 'password',
        acceptsAnyUsername: false,
        authenticate: ({ username }) => verdicts.get(username) as PasswordVerdict,
      },
    ],
  },
)
