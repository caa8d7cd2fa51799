import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, it } from 'node:test'

import { createChatServer } from '@parley/core'
import { createChatMiddleware } from '@parley/express'
import express from 'express'

import { FakeRelay } from '../support/fake-relay.js'
import { everyDatabase, type HostCase } from '../support/host.js'
import { legacyPath, PushReaders, settle } from '../support/push-reader.js'
import { pixel } from '../support/rich-organization.js'
import { pngOf, readRoot, upload } from '../support/uploads.js'

const basePath = '/chat'
const relay = await FakeRelay.start()
after(() => relay.stop())
const readers = new PushReaders(relay)

const contentOf = async ({ people }: HostCase, id: number): Promise<string> =>
  (await people.alice.get(`/messages/${id}`)).body.message.content

everyDatabase(
  'a base path without a base URL',
  'koa',
  (at) => {
    it('is part of the URL in push notifications, and of the pictures in them', async () => {
      const { alice, gus } = at.people
      relay.now = () => at.clock.seconds
      await gus.post('/users/me/android_gcm_reg_id', { token: 'guest' })
      const reads = await readers.of(at, gus)
      await alice.delete('/users/me/subscriptions', { subscriptions: ['general'] })

      await alice.say(at.channels.general, 'Who', '@**Gus Test** who am I?')
      await settle(at)

      const [notice] = await reads.notices()
      const realmUrl = `${at.host.origin}${basePath}`
      const unknown = `${realmUrl}/user_avatars/default/unknown.png?version=1`
      assert.deepEqual([notice?.['realm_url'], notice?.['sender_avatar_url']], [realmUrl, unknown])
      const { gcm_payload } = relay.requests.findLast(({ path }) => path === legacyPath)?.body ?? {}
      assert.deepEqual(
        [gcm_payload.realm_uri, gcm_payload.realm_url, gcm_payload.sender_avatar_url],
        [realmUrl, realmUrl, unknown],
      )
      assert.equal((await readRoot(gus, unknown.slice(at.host.origin.length))).status, 200)
    })

    it('is part of the links in messages of an organization file', async () => {
      const { body } = await at.people.alice.get('/messages', {
        anchor: 'oldest',
        num_before: 0,
        num_after: 1,
      })

      const [, source = ''] = / src="([^"]*)"/.exec(body.messages[0]!.content) ?? []
      assert.ok(source.startsWith(`${basePath}/api/v1/realm/emoji/images/`), source)
      assert.equal((await readRoot(at.people.alice, source)).status, 200)
    })

    it('is part of the links in results of calls in the process', async () => {
      const { alice } = at.people
      const user = { userId: alice.id, organization: at.subdomain }

      const { avatar_url } = await at.host.chat.as(user).api.getOwnUser()

      assert.equal(avatar_url, `${basePath}/user_avatars/default/${alice.id}.png?version=1`)
    })
  },
  { basePath, pushRelay: relay.address },
  {
    settings: { can_access_all_users_group: 'role:members' },
    more: ({ people, channels }) => ({
      custom_emoji: [{ id: 7, name: 'dot', image: pixel, author_id: people.olga }],
      messages: [
        { sender_id: people.olga, channel_id: channels.general, topic: 'old', content: ':dot:' },
      ],
    }),
  },
)

everyDatabase('a base path that is set later', 'express', (at) => {
  it('leaves links of stored messages, which the application can redirect', async () => {
    const { alice } = at.people
    const image = await upload(alice, { name: 'a.png', type: 'image/png', bytes: pngOf(3, 2) })
    const id = await alice.say(at.channels.general, 'pictures', `[](${image})`)
    const moved = createChatServer({
      database: at.host.databaseConfig,
      clock: at.clock,
      basePath,
      resolveOrganization: () => at.subdomain,
    })
    await moved.start()
    const app = express()
    // As in docs/mounting.md.
    const oldFiles =
      /^\/(user_uploads|user_avatars|external_content|api\/v1\/realm\/emoji\/images)\//
    app.get(oldFiles, (request, response) => response.redirect(301, `/chat${request.originalUrl}`))
    app.use(createChatMiddleware(moved))
    const server = createServer(app).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const realmUrl = origin + basePath

    const [, old = ''] = /<img [^>]*src="([^"]*)"/.exec(await contentOf(at, id)) ?? []
    const headers = alice.authorization()
    const answer = await fetch(new URL(old, realmUrl), { headers })
    const edited = await fetch(`${realmUrl}/api/v1/messages/${id}`, {
      method: 'PATCH',
      headers,
      body: new URLSearchParams({ content: `[again](${image})` }),
    })

    assert.match(old, /^\/user_uploads\/thumbnail\//)
    assert.deepEqual([answer.status, answer.url], [200, origin + basePath + old])
    assert.equal(edited.status, 200)
    assert.match(await contentOf(at, id), /src="\/chat\/user_uploads\/thumbnail\//)
    server.close()
    server.closeAllConnections()
    await moved.close()
  })
})
