import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'

import type { HostIdentity } from '@parley/core'

import { BigBlueButtonServer } from '../support/big-blue-button.js'
import type { Answer, Client } from '../support/client.js'
import { everyHost, type HostOptions } from '../support/host.js'
import { assertRefused } from '../support/refusal.js'

const meetings = new BigBlueButtonServer()
before(() => meetings.start())
after(() => meetings.stop())

const configured = () => ({
  bigBlueButton: { url: meetings.url, secret: meetings.secret },
  jitsi: { url: 'https://jitsi.product.example' },
})

/** The address is read when a server is created: after the program has started. */
const calling: HostOptions = {
  get videoCalls() {
    return configured()
  },
}

const create = (client: Client, params: Record<string, string | boolean> = {}): Promise<Answer> =>
  client.get('/calls/bigbluebutton/create', { meeting_name: 'design meeting', ...params })

/** The part of a link after the address of the API. */
function pathOf(answer: Answer): string {
  assert.equal(answer.status, 200, answer.text)
  const url = new URL(answer.body.url as string)
  return `${url.pathname.replace('/api/v1', '')}${url.search}`
}

/** Follows a link, and the redirect of its response. @returns the parameters of the user. */
async function join(client: Client, path: string): Promise<Readonly<Record<string, string>>> {
  const answer = await client.get(path)
  assert.equal(answer.status, 302, answer.text)
  assert.equal(answer.headers['cache-control'], 'no-store')
  assert.equal(answer.headers['referrer-policy'], 'no-referrer')
  const count = meetings.joined.length
  const page = await fetch(answer.headers.location ?? '')
  assert.match(await page.text(), /SUCCESS/)
  assert.equal(meetings.joined.length, count + 1)
  return meetings.joined[count] ?? {}
}

everyHost(
  'create-big-blue-button-video-call',
  (at) => {
    it('returns a URL of this server that contains no secret', async () => {
      const answer = await create(at.people.alice)

      assert.equal(answer.status, 200)
      const { url } = answer.body
      assert.ok((url as string).startsWith(`${at.host.origin}/api/v1/calls/bigbluebutton/join?`))
      assert.ok(!answer.text.includes(meetings.secret) && !answer.text.includes(meetings.url))
    })

    it('returns a new meeting each time', async () => {
      const { alice } = at.people

      assert.notEqual(pathOf(await create(alice)), pathOf(await create(alice)))
    })

    it('may be called by guests and bots', async () => {
      const { gus, bot } = at.people

      assert.equal((await create(gus)).status, 200)
      assert.equal((await create(bot)).status, 200)
    })

    it('requires a name of at most 256 characters', async () => {
      const { alice } = at.people

      assertRefused(
        await alice.get('/calls/bigbluebutton/create'),
        "Missing 'meeting_name' argument",
        {
          code: 'REQUEST_VARIABLE_MISSING',
          var_name: 'meeting_name',
        },
      )
      assertRefused(await create(alice, { meeting_name: ' ' }), 'meeting_name cannot be blank')
      assertRefused(
        await create(alice, { meeting_name: 'x'.repeat(257) }),
        'meeting_name is too long (limit: 256 characters)',
      )
      assertRefused(await create(alice, { voice_only: 'x' }), 'voice_only is not valid JSON')
    })

    it('returns an error without credentials', async () => {
      assert.equal((await create(at.nobody)).status, 401)
    })
  },
  {},
  calling,
)

everyHost('create-big-blue-button-video-call', (at) => {
  it('returns an error if the server has no BigBlueButton server', async () => {
    assertRefused(await create(at.people.alice), 'BigBlueButton is not configured.')
    assertRefused(
      await at.people.alice.get('/calls/bigbluebutton/join', {
        meeting_id: 'a',
        name: 'a',
        moderator_id: 1,
        voice_only: false,
        checksum: 'a',
      }),
      'BigBlueButton is not configured.',
    )
  })
})

/** The session of the application's page, by its cookie. */
const sessions = new Map<string, HostIdentity>()

everyHost(
  'join-big-blue-button-video-call',
  (at) => {
    it('makes the creator a moderator and all others viewers, with their names', async () => {
      const { alice, bob } = at.people
      const path = pathOf(await create(alice, { meeting_name: 'Größe & <more>?' }))

      const own = await join(alice, path)
      const other = await join(bob, path)

      assert.equal(own['role'], 'MODERATOR')
      assert.equal(own['fullName'], 'Alice Test')
      assert.equal(other['role'], 'VIEWER')
      assert.equal(other['fullName'], 'Bob Test')
      assert.equal(own['meetingID'], other['meetingID'])
      assert.deepEqual(meetings.meetings.get(own['meetingID'] ?? ''), {
        meetingID: own['meetingID'],
        name: 'Größe & <more>?',
      })
    })

    it('disables cameras in a call that is voice-only', async () => {
      const { alice } = at.people

      const { meetingID = '' } = await join(
        alice,
        pathOf(await create(alice, { voice_only: true })),
      )

      assert.equal(meetings.meetings.get(meetingID)?.['lockSettingsDisableCam'], 'true')
    })

    it('creates the meeting again after everyone has left it', async () => {
      const { alice, bob } = at.people
      const path = pathOf(await create(alice))
      const { meetingID = '' } = await join(alice, path)
      meetings.meetings.delete(meetingID)

      assert.equal((await join(bob, path))['meetingID'], meetingID)
    })

    it('refuses a URL that was changed, and one of another organization', async () => {
      const { alice } = at.people
      const path = pathOf(await create(alice))
      const other = await at.host.organization()

      for (const [from, to] of [
        ['design+meeting', 'other+meeting'],
        [`moderator_id=${alice.id}`, `moderator_id=${at.people.bob.id}`],
        ['voice_only=false', 'voice_only=true'],
        ['meeting_id=', 'meeting_id=x'],
        ['checksum=', 'checksum=0'],
      ] as const) {
        assert.ok(path.includes(from))
        assertRefused(await alice.get(path.replace(from, to)), 'Invalid signature.')
      }
      assertRefused(await other.people.alice.get(path), 'Invalid signature.')
    })

    it('returns an error if the BigBlueButton server refuses or sends nonsense', async () => {
      const { alice } = at.people
      const path = pathOf(await create(alice))

      for (const answer of [
        '<response><returncode>FAILED</returncode><messageKey>checksumError</messageKey></response>',
        '',
        'x'.repeat(100_000),
      ]) {
        meetings.answer = answer
        assertRefused(
          await alice.get(path),
          'The server for video calls did not answer as expected.',
          { status: 502 },
        )
      }
      meetings.answer = undefined

      assert.ok(at.host.log.some((line) => line.includes('"reason":"checksumError"')))
      assert.ok(!at.host.log.join().includes(meetings.secret))
    })

    it('sends browsers without a session to the login page, and back', async () => {
      const path = pathOf(await create(at.people.alice))

      const answer = await at.nobody.get(path)

      assert.equal(answer.status, 302)
      const next = new URL(answer.headers.location ?? '', 'https://a.example').searchParams
      assert.equal(next.get('next'), `/api/v1${path}`)
      const identity = { externalId: '7', email: 'ada@product.example', fullName: 'Ada Byron' }
      sessions.set('session=1', identity)
      const joining = await at.nobody.get(path, {}, { cookie: 'session=1' })
      const { searchParams } = new URL(joining.headers.location ?? '')
      assert.equal(searchParams.get('fullName'), 'Ada Byron')
    })
  },
  {},
  {
    identify: ({ headers }) => sessions.get(headers.cookie ?? '') ?? null,
    signOn: { displayName: 'Test Product', loginUrl: '/login' },
    get videoCalls() {
      return configured()
    },
  },
)

everyHost(
  'join-big-blue-button-video-call',
  (at) => {
    it('returns an error without a session if there is no login page', async () => {
      const path = pathOf(await create(at.people.alice))

      assert.equal((await at.nobody.get(path)).status, 401)
    })

    it('returns an error while the BigBlueButton server is down', async () => {
      const { alice } = at.people
      const path = pathOf(await create(alice))
      await down.stop()

      assertRefused(
        await alice.get(path),
        'The server for video calls did not answer as expected.',
        {
          status: 502,
        },
      )
      await down.start()
    })
  },
  {},
  {
    get videoCalls() {
      return { bigBlueButton: { url: down.url, secret: down.secret } }
    },
  },
)

const down = new BigBlueButtonServer()
before(() => down.start())
after(() => down.stop())

const settingsOf = async (client: Client): Promise<Record<string, unknown>> => {
  const { body } = await client.post('/register', { fetch_event_types: ['realm'] })
  return body as Record<string, unknown>
}

everyHost(
  'update-realm',
  (at) => {
    it('offers the providers that are configured', async () => {
      const { adam, alice } = at.people

      assert.equal((await adam.patch('/realm', { video_chat_provider: 4 })).status, 200)

      const settings = await settingsOf(alice)
      assert.equal(settings['realm_video_chat_provider'], 4)
      assert.deepEqual(settings['realm_available_video_chat_providers'], {
        disabled: { name: 'None', id: 0 },
        jitsi_meet: { name: 'Jitsi Meet', id: 1 },
        big_blue_button: { name: 'BigBlueButton', id: 4 },
      })
      assert.equal(settings['server_jitsi_server_url'], 'https://jitsi.product.example')
      assert.equal(settings['jitsi_server_url'], 'https://jitsi.product.example')
      assert.equal(settings['realm_jitsi_server_url'], null)
    })

    it('shows no provider that is no longer configured', async () => {
      const { adam, alice } = at.people
      await adam.patch('/realm', { video_chat_provider: 4 })
      const later = await at.host.another('koa')
      try {
        const settings = await settingsOf(later.clientOf(alice))

        assert.equal(settings['realm_video_chat_provider'], 0)
        assert.equal(settings['server_jitsi_server_url'], null)
        assert.equal('jitsi_server_url' in settings, false)
        assertRefused(
          await later.clientOf(adam).patch('/realm', { video_chat_provider: 4 }),
          'Invalid video_chat_provider 4',
        )
      } finally {
        await later.stop()
      }
    })
  },
  {},
  calling,
)
