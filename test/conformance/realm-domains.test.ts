import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Answer, Client } from '../support/client.js'
import { withoutIds } from '../support/event-feed.js'
import { everyHost } from '../support/host.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

const listenOptions = { event_types: ['realm_domains', 'realm'] }
const notOwner = 'Must be an organization owner'

const add = (client: Client, domain: string, allow_subdomains = false): Promise<Answer> =>
  client.post('/realm/domains', { domain, allow_subdomains })

everyHost('get-realm-domains', (at) => {
  it('lists the domains to all users, in the order of their creation', async () => {
    const { olga, gus, bot } = at.people
    await add(olga, 'zeta.example')
    await add(olga, 'alpha.example', true)

    const domains = [
      { domain: 'zeta.example', allow_subdomains: false },
      { domain: 'alpha.example', allow_subdomains: true },
    ]
    for (const client of [olga, gus, bot]) {
      assert.deepEqual((await client.get('/realm/domains')).body, { ...bareSuccess, domains })
    }
    const { snapshot } = await gus.listen({ fetch_event_types: ['realm_domains'] })
    assert.deepEqual(snapshot['realm_domains'], domains)
    const other = await gus.listen({ fetch_event_types: ['message'] })
    assert.equal('realm_domains' in other.snapshot, false)
    assert.equal((await at.nobody.get('/realm/domains')).status, 401)
  })

  it('separates the domains of organizations', async () => {
    const other = await at.host.organization()
    await add(other.people.olga, 'elsewhere.example')

    const { body } = await at.people.olga.get('/realm/domains')

    const names = (body.domains as { domain: string }[]).map(({ domain }) => domain)
    assert.equal(names.includes('elsewhere.example'), false)
  })
})

everyHost('create-realm-domain', (at) => {
  it('returns the id and the domain, and sends the event to all active users', async () => {
    const { olga, gus, bot } = at.people
    const feeds = [await gus.listen(listenOptions), await bot.listen(listenOptions)]

    const { body } = await add(olga, ' Acme.Example ', true)

    const [id, domain] = body.new_domain as [number, string]
    assert.deepEqual(body, { ...bareSuccess, new_domain: [id, domain] })
    assert.deepEqual([Number.isInteger(id), domain], [true, 'acme.example'])
    for (const feed of feeds) {
      assert.deepEqual(withoutIds(await feed.drain()), [
        {
          type: 'realm_domains',
          op: 'add',
          realm_domain: { domain: 'acme.example', allow_subdomains: true },
        },
      ])
    }
  })

  for (const [domain, reason] of [
    ['  ', "Domain can't be empty."],
    ['acme', 'Domain must have at least one dot (.)'],
    [`${'a.'.repeat(130)}example`, 'Domain is too long'],
    ['.acme.example', 'Domain cannot start or end with a dot (.)'],
    ['acme.example.', 'Domain cannot start or end with a dot (.)'],
    ['acme..example', "Consecutive '.' are not allowed."],
    ['acme.-x.example', "Subdomains cannot start or end with a '-'."],
    ['acme.x-.example', "Subdomains cannot start or end with a '-'."],
    ['ac_me.example', "Domain can only have letters, numbers, '.' and '-'s."],
    ['acme.exämple', "Domain can only have letters, numbers, '.' and '-'s."],
  ] as const) {
    it(`rejects "${domain.slice(0, 30)}"`, async () => {
      assertRefused(await add(at.people.olga, domain), `Invalid domain: ${reason}`)
    })
  }

  it('adds no domain twice, also with concurrent requests', async () => {
    const { olga } = at.people
    await add(olga, 'twice.example')

    assertRefused(
      await add(olga, 'TWICE.example', true),
      'The domain twice.example is already a part of your organization.',
    )
    const answers = await Promise.all([1, 2].map(() => add(olga, 'atonce.example')))
    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [200, 400],
    )
  })

  it('returns an error to users who are not owners, before it validates parameters', async () => {
    const { adam, mona, alice, gus, bot } = at.people
    for (const client of [adam, mona, alice, gus, bot]) {
      const answer = await client.post('/realm/domains')
      assertRefused(answer, notOwner, { code: 'UNAUTHORIZED_PRINCIPAL' })
    }
  })

  it('requires both parameters', async () => {
    const { olga } = at.people
    for (const [params, var_name] of [
      [{ allow_subdomains: true }, 'domain'],
      [{ domain: 'acme.example' }, 'allow_subdomains'],
    ] as const) {
      assertRefused(await olga.post('/realm/domains', params), `Missing '${var_name}' argument`, {
        code: 'REQUEST_VARIABLE_MISSING',
        var_name,
      })
    }
  })
})

everyHost('patch-realm-domain', (at) => {
  it('changes whether subdomains are allowed, and sends the event to all active users', async () => {
    const { olga, gus } = at.people
    await add(olga, 'sub.example')
    const feed = await gus.listen(listenOptions)

    const answer = await olga.patch('/realm/domains/Sub.example', { allow_subdomains: true })

    assert.deepEqual(answer.body, bareSuccess)
    const realm_domain = { domain: 'sub.example', allow_subdomains: true }
    assert.deepEqual(withoutIds(await feed.drain()), [
      { type: 'realm_domains', op: 'change', realm_domain },
    ])
    assert.deepEqual((await gus.get('/realm/domains')).body.domains, [realm_domain])
  })

  it('rejects unknown domains, and users who are not owners', async () => {
    const { olga, adam } = at.people
    const change = { allow_subdomains: true }
    assertRefused(
      await olga.patch('/realm/domains/none.example', change),
      'No entry found for domain none.example.',
    )
    assertRefused(await adam.patch('/realm/domains/sub.example', change), notOwner, {
      code: 'UNAUTHORIZED_PRINCIPAL',
    })
  })
})

everyHost('delete-realm-domain', (at) => {
  it('removes the domain, and allows all addresses again after the last one', async () => {
    const { olga, gus } = at.people
    await add(olga, 'first.example')
    await add(olga, 'last.example')
    await olga.patch('/realm', { emails_restricted_to_domains: true })
    const feed = await gus.listen(listenOptions)

    const answer = await olga.delete('/realm/domains/first.example')

    assert.deepEqual(answer.body, bareSuccess)
    const removed = { type: 'realm_domains', op: 'remove' }
    assert.deepEqual(withoutIds(await feed.drain()), [{ ...removed, domain: 'first.example' }])

    await olga.delete('/realm/domains/last.example')

    assert.deepEqual(withoutIds(await feed.drain()), [
      { type: 'realm', op: 'update', property: 'emails_restricted_to_domains', value: false },
      { ...removed, domain: 'last.example' },
    ])
    assert.deepEqual((await gus.get('/realm/domains')).body.domains, [])
  })

  it('rejects unknown domains, and users who are not owners', async () => {
    const { olga, adam } = at.people
    assertRefused(
      await olga.delete('/realm/domains/none.example'),
      'No entry found for domain none.example.',
    )
    assertRefused(await adam.delete('/realm/domains/none.example'), notOwner, {
      code: 'UNAUTHORIZED_PRINCIPAL',
    })
  })
})

everyHost('create-user', (at) => {
  const create = (email: string): Promise<Answer> =>
    at.people.olga.post('/users', {
      email,
      full_name: 'New Comer',
      password: 'a rather long staple 12',
    })

  it('accepts only addresses of the domains to which the organization is restricted', async () => {
    const { olga } = at.people
    await add(olga, 'acme.example')
    await add(olga, 'wide.example', true)
    await add(olga, 'mailinator.com')
    await olga.patch('/realm', { emails_restricted_to_domains: true })

    for (const email of ['a@acme.example', 'b@WIDE.example', 'c@x.y.wide.example']) {
      assert.equal((await create(email)).status, 200, email)
    }
    for (const email of ['a@other.example', 'a@x.acme.example', 'a+b@other.example']) {
      assertRefused(await create(email), `Email '${email}' not allowed in this organization`)
    }
    assertRefused(await create('a+b@acme.example'), 'Email addresses containing + are not allowed.')
    assertRefused(
      await create('a@mailinator.com'),
      'Disposable email addresses are not allowed in this organization',
    )
    await olga.patch('/realm', { emails_restricted_to_domains: false })
    assert.equal((await create('a+b@other.example')).status, 200)
  })
})
