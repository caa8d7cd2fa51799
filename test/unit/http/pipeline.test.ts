import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { Role } from '../../../packages/core/src/domain/users/actor.js'
import { ChatError } from '../../../packages/core/src/errors/index.js'
import { ChatAddress } from '../../../packages/core/src/kernel/chat-address.js'
import { badQueue } from './sample-operations.js'
import { ask, sampleRequest } from './sample-request.js'
import { member, SampleChat } from './sample-server.js'

describe('routes', () => {
  const chat = new SampleChat()

  it('return 405 with the allowed methods for another method', async () => {
    const { status, headers, body } = await ask(chat, 'PUT /samples')

    assert.equal(status, 405)
    assert.equal(headers['Allow'], 'GET, POST')
    assert.deepEqual(body, {
      result: 'error',
      msg: 'Method Not Allowed',
      code: 'METHOD_NOT_ALLOWED',
      allowed_methods: ['GET', 'POST'],
    })
  })

  it('are matched before credentials are checked', async () => {
    const anonymous = new SampleChat()
    anonymous.actor = undefined

    assert.equal((await ask(anonymous, 'PUT /samples')).status, 405)
    assert.equal((await ask(anonymous, 'GET /nowhere')).status, 404)
    assert.equal((await ask(anonymous, 'OPTIONS /samples/5')).headers['Allow'], 'DELETE, PATCH')
  })

  it('allow HEAD only if they allow GET', async () => {
    assert.equal((await ask(chat, 'HEAD /samples')).status, 200)
    assert.equal((await ask(chat, 'HEAD /samples/5')).status, 405)
  })

  it('collapse duplicate slashes and reject a trailing one', async () => {
    assert.equal((await ask(chat, 'GET //samples')).status, 200)
    assert.equal((await ask(chat, 'GET //people///me')).status, 200)
    assert.equal((await ask(chat, 'GET /samples/')).status, 404)
    assert.equal((await ask(chat, 'GET ')).status, 404)
  })

  it('have one spelling of each fixed segment, and decode parameters', async () => {
    for (const path of [
      '/people/%6de',
      '/people/%6D%65',
      '//people/%6de',
      '/%70eople/me',
      '/People/me',
      '/./people/me',
      '/people/./me',
      '/people/x/../me',
      '/people/%2E%2e/people/me',
      '/people/.%2e',
      '/people/me#',
      '/people/me#?x',
      '/people%2Fme',
      '/samples/5/.',
      '/views/a/../b',
    ]) {
      for (const method of ['GET', 'DELETE', 'PATCH']) {
        assert.equal((await ask(chat, `${method} ${path}`)).status, 404, `${method} ${path}`)
      }
    }
    const texts = async (target: string) => (await ask(chat, target)).body['params']
    assert.deepEqual(await texts('GET /people/me'), {})
    assert.deepEqual(await texts('GET /people/%31'), { user_id: 1 })
    assert.deepEqual(await texts('GET /people/%6de%40x.example'), { email: 'me@x.example' })
    assert.deepEqual(await texts('GET /people/me;v=1'), { email: 'me;v=1' })
    assert.deepEqual(await texts('GET /people/...'), { email: '...' })
    assert.deepEqual(await texts('DELETE /views/%6da.b/.c'), { view: 'ma.b/.c' })
  })

  it('with an integer match digits only', async () => {
    for (const path of [
      '/samples/x',
      '/samples/-1',
      '/samples/1.0',
      '/samples/%zz',
      '/samples/1e3',
    ]) {
      assert.equal((await ask(chat, `DELETE ${path}`)).status, 404, path)
    }
  })

  it('that are unknown are passed to hosts that request it', async () => {
    const parts = { passUnknownPaths: true }
    assert.equal(await chat.handle(sampleRequest('GET /nowhere', parts)), undefined)
    assert.equal((await chat.handle(sampleRequest('PUT /samples', parts)))?.status, 405)
  })

  it('are below the base path, in this spelling only', async () => {
    const below = new SampleChat({ address: new ChatAddress('/team/chat', undefined) })
    const statusOf = async (path: string) =>
      (await below.handle({ ...sampleRequest('GET /'), path }))?.status

    assert.equal(await statusOf('/team/chat/api/v1/samples'), 200)
    assert.equal(await statusOf('/team/chat/api/v1//samples'), 200)
    assert.equal(await statusOf('/team/chat/api/v1/nowhere'), 404)
    for (const path of [
      '/api/v1/samples',
      '/team/chat',
      '/team/chat/',
      '/team/chats/api/v1/samples',
      '/team/chat//api/v1/samples',
      '/team//chat/api/v1/samples',
      '//team/chat/api/v1/samples',
      '/Team/chat/api/v1/samples',
      '/team/%63hat/api/v1/samples',
      '/team%2Fchat/api/v1/samples',
      '/team/./chat/api/v1/samples',
      '/team/chat/../api/v1/samples',
      '/x/team/chat/api/v1/samples',
    ]) {
      assert.equal(await statusOf(path), undefined, path)
    }
  })
})

describe('credentials', () => {
  it('are required', async () => {
    const chat = new SampleChat()
    chat.actor = undefined

    const { status, headers, body } = await ask(chat, 'GET /samples')

    assert.equal(status, 401)
    assert.equal(headers['WWW-Authenticate'], 'Basic realm="zulip"')
    assert.equal(body['code'], 'UNAUTHORIZED')
  })

  it('that are invalid are rejected with the error of the authenticator', async () => {
    const chat = new SampleChat()
    chat.credentialError = new ChatError('INVALID_API_KEY', { message: 'Malformed API key' })

    const { status, body } = await ask(chat, 'GET /samples')

    assert.equal(status, 401)
    assert.deepEqual(body, { result: 'error', msg: 'Malformed API key', code: 'INVALID_API_KEY' })
  })

  it('of another organization are rejected', async () => {
    const chat = new SampleChat()
    chat.actor = { ...member, organizationId: 2 }

    const { status, body } = await ask(chat, 'GET /samples')

    assert.equal(status, 401)
    assert.equal(body['msg'], 'Account is not associated with this subdomain')
  })

  it('are rejected if the address names no organization', async () => {
    const chat = new SampleChat()
    chat.organization = undefined

    assert.deepEqual((await ask(chat, 'GET /samples')).body, {
      result: 'error',
      msg: 'Account is not associated with this subdomain',
      code: 'UNAUTHORIZED',
    })
    chat.actor = undefined
    assert.equal((await ask(chat, 'GET /samples')).status, 401)
  })

  it('are ignored by public operations', async () => {
    const chat = new SampleChat()
    chat.credentialError = new ChatError('INVALID_API_KEY')

    assert.equal((await ask(chat, 'GET /anyone')).status, 200)
  })

  it('that are missing lead to an unknown organization error in public operations', async () => {
    const chat = new SampleChat()
    chat.organization = undefined

    const { status, body } = await ask(chat, 'POST /sign-in', { form: { username: 'a' } })
    assert.equal(status, 404)
    assert.deepEqual(body, {
      result: 'error',
      msg: 'Invalid subdomain',
      code: 'NONEXISTENT_SUBDOMAIN',
    })
    const described = await ask(chat, 'GET /server', { headers: { 'user-agent': 'curl/8' } })
    assert.deepEqual(described.body, {
      result: 'success',
      msg: '',
      organization: 0,
      client: 'curl',
      chat_url: 'https://chat.example',
    })
  })
})

describe('access', () => {
  const guest = { ...member, role: Role.guest }
  const bot = { ...member, isBot: true, botType: 1 }
  const administrator = { ...member, role: Role.administrator }
  const owner = { ...member, role: Role.owner }
  const noGuests = 'BAD_REQUEST: Not allowed for guest users'
  const noBots = 'BAD_REQUEST: This endpoint does not accept bot requests.'
  const administrators = 'UNAUTHORIZED_PRINCIPAL: Must be an organization administrator'
  const owners = 'UNAUTHORIZED_PRINCIPAL: Must be an organization owner'
  const rows = [
    ['GET /humans', guest, undefined],
    ['GET /humans', bot, noBots],
    ['GET /non-guests', member, undefined],
    ['GET /non-guests', guest, noGuests],
    ['GET /non-guests', bot, undefined],
    ['GET /human-non-guests', member, undefined],
    ['GET /human-non-guests', guest, noGuests],
    ['GET /human-non-guests', bot, noBots],
    ['POST /administrators', member, administrators],
    ['POST /administrators', { ...administrator, isBot: true }, undefined],
    ['POST /administrators', owner, undefined],
    ['GET /owners', administrator, owners],
    ['GET /owners', owner, undefined],
  ] as const
  for (const [target, actor, refusal] of rows) {
    const who = `${actor.isBot ? 'bot ' : ''}${actor.role}`
    it(`of ${who} to ${target}: ${refusal ?? 'allowed'}`, async () => {
      const chat = new SampleChat()
      chat.actor = actor

      const { status, body } = await ask(chat, target, { query: 'count=1' })

      assert.equal(status, refusal === undefined ? 200 : 400)
      if (refusal) assert.equal(`${String(body['code'])}: ${String(body['msg'])}`, refusal)
    })
  }

  it('is checked before the parameters are validated', async () => {
    const { body } = await ask(new SampleChat(), 'POST /administrators', { query: 'count=x' })
    assert.equal(body['code'], 'UNAUTHORIZED_PRINCIPAL')
  })
})

describe('errors', () => {
  it('with a kind are sent with their fields', async () => {
    const chat = new SampleChat()
    chat.service.failure = badQueue

    const { status, body } = await ask(chat, 'POST /fail')

    assert.equal(status, 400)
    assert.deepEqual(body, {
      result: 'error',
      msg: 'Bad event queue ID: q',
      code: 'BAD_EVENT_QUEUE_ID',
      queue_id: 'q',
    })
    assert.deepEqual(chat.log, [])
  })

  it('truncate long values of the request', async () => {
    const chat = new SampleChat()
    const queue_id = 'q'.repeat(10_001)
    chat.service.failure = new ChatError('BAD_EVENT_QUEUE_ID', { fields: { queue_id } })

    const { body } = await ask(chat, 'POST /fail')

    assert.deepEqual(body, {
      result: 'error',
      msg: `Bad event queue ID: ${'q'.repeat(10_000 - 'Bad event queue ID: '.length)}…`,
      code: 'BAD_EVENT_QUEUE_ID',
      queue_id: `${'q'.repeat(10_000)}…`,
    })
  })

  it('of any other kind are logged once and disclose nothing', async () => {
    const chat = new SampleChat()
    const failure = new Error('password=hunter2')
    chat.service.failure = failure

    const { status, body } = await ask(chat, 'POST /fail')

    assert.equal(status, 500)
    assert.deepEqual(body, {
      result: 'error',
      msg: 'Internal server error',
      code: 'INTERNAL_SERVER_ERROR',
    })
    assert.deepEqual(chat.log, [
      { message: 'An operation failed', fields: { operation: 'fail', err: failure } },
    ])
  })

  it('of the database ask the client to retry', async () => {
    const chat = new SampleChat()
    chat.service.failure = chat.databaseError

    const { status, headers, body } = await ask(chat, 'POST /fail')

    assert.equal(status, 503)
    assert.equal(headers['Retry-After'], '1')
    assert.equal(body['code'], 'SERVICE_UNAVAILABLE')
  })

  it('that are not declared are bugs while responses are checked', async () => {
    const chat = new SampleChat({ checkResponses: true })
    chat.service.failure = new ChatError('REACTION_ALREADY_EXISTS')

    assert.equal((await ask(chat, 'POST /fail')).status, 500)
    assert.match(String(chat.log[0]?.fields?.['err']), /REACTION_ALREADY_EXISTS/)
    chat.service.failure = badQueue
    assert.equal((await ask(chat, 'POST /fail')).status, 400)
  })
})

describe('responses', () => {
  it('that are not declared are bugs while responses are checked', async () => {
    const chat = new SampleChat({ checkResponses: true })

    assert.equal((await ask(chat, 'GET /otherwise')).status, 500)
    assert.match(String(chat.log[0]?.fields?.['err']), /answer-otherwise.*surprise/)
    assert.equal((await ask(chat, 'GET /wait', { query: 'dont_block=true' })).status, 200)
    assert.equal((await ask(new SampleChat(), 'GET /otherwise')).status, 200)
  })
})
