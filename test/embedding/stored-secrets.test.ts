import assert from 'node:assert/strict'
import { it } from 'node:test'

import { findTexts, readTables } from '../support/database-texts.js'
import { FakeMail } from '../support/fake-mail.js'
import { existingDatabase } from '../support/databases.js'
import { everyDatabase, TestHost, type HostCase, type HostOptions } from '../support/host.js'
import { untilSealedAgain } from '../support/sealed-keys.js'
import { invite, inviteLink, mailTo } from '../support/invitations.js'

const secret = 'first'.padEnd(32, '-')
const mail = new FakeMail()
const options: HostOptions = {
  secret,
  mail,
  baseUrl: 'https://chat.example',
  incomingMail: { domain: 'in.example' },
}

interface BotEvent {
  readonly bot: { readonly api_key: string; readonly services?: readonly { token: string }[] }
}

/** Every kind of secret that the server gives to users, by its name. */
async function givenSecrets(at: HostCase): Promise<Record<string, string>> {
  const { alice, olga } = at.people
  const feed = await alice.listen({ event_types: ['realm_bot'] })
  const bot = await alice.post('/bots', {
    full_name: 'Caller',
    short_name: 'caller',
    bot_type: 3,
    payload_url: JSON.stringify('https://bot.example/'),
  })
  const replaced = await alice.post(`/bots/${bot.body.user_id}/api_key/regenerate`)
  const events = await feed.drain()
  const [added, updated] = events as unknown as BotEvent[]
  assert.equal(added?.bot.api_key, bot.body.api_key)
  assert.equal(updated?.bot.api_key, replaced.body.api_key)
  const ticket = await alice.post('/events/ticket')
  const address = await alice.get(`/streams/${at.channels.general}/email_address`)
  await alice.patch('/settings', { email: 'other@chat.example' })
  const confirmation = (await mailTo(mail, 'other@chat.example')).text
  const last = (text: string): string => text.slice(text.lastIndexOf('/') + 1)
  return {
    'the first key of a bot': bot.body.api_key,
    'the key of a bot': replaced.body.api_key,
    'the token of a bot': String(added?.bot.services?.[0]?.token),
    'a ticket': ticket.body.ticket,
    'an address for mail': /[a-z2-7]{20,}/.exec(String(address.body.email))?.[0] ?? '',
    'the link of a mail': /confirm_new_email\/([\w-]+)/.exec(confirmation)?.[1] ?? '',
    'an invitation': last(await invite(mail, olga, 'invited@chat.example')),
    'a reusable invitation': last(await inviteLink(olga)),
  }
}

everyDatabase(
  'a copy of the database, without the option secret',
  'express',
  (at) => {
    it('contains no secret that users were given', async () => {
      for (const [name, text] of Object.entries(await givenSecrets(at))) {
        assert.ok(text.length >= 20, `${name}: ${text}`)
        assert.deepEqual(await findTexts(at.host.databaseConfig, [text]), [], name)
      }
    })

    it('contains no key of the server', async () => {
      const tables = await readTables(at.host.databaseConfig)
      const rows = [...tables].find(([name]) => name.endsWith('server_secrets'))?.[1] ?? []

      for (const { name, value } of rows) {
        // The first is a name in Redis, the second the id of a secret.
        if (name === 'database_id' || name === 'seal_id') continue
        assert.match(String(value), /^~/, `${String(name)} is encrypted`)
      }
      assert.ok(rows.some(({ name }) => name === 'data_key'))
    })

    it('keeps addresses and tokens when the secret changes, and replaces them if it is lost', async () => {
      const database = existingDatabase(at.host.database, at.host.databaseConfig)
      /** The address of a channel and the token of a bot, at a process of its own. */
      const read = async (changes: HostOptions): Promise<readonly unknown[]> => {
        const host = new TestHost('express', database, { ...options, ...changes })
        await host.start().catch(async (error: unknown) => {
          await host.chat.close()
          throw error
        })
        try {
          // Links of invitations are encrypted again at this interval.
          host.clock.advance(15 * 60)
          await untilSealedAgain(host)
          const { api } = host.chat.as({ userId: at.people.alice.id })
          const { email } = await api.getStreamEmailAddress({ stream_id: at.channels.general })
          const registration = await api.registerQueue({ fetch_event_types: ['realm_bot'] })
          const [service] = registration.realm_bots?.flatMap(({ services }) => services) ?? []
          return [email, service?.token]
        } finally {
          await host.stop()
        }
      }
      const [next, last] = ['second'.padEnd(32, '-'), 'third'.padEnd(32, '-')]
      const before = await read({})
      assert.match(String(before[1]), /^\w{32}$/)

      assert.deepEqual(await read({ secret: next, previousSecrets: [secret] }), before)
      assert.deepEqual(await read({ secret, previousSecrets: [next] }), before)

      const message = await read({ secret: last }).then(String, String)
      const ids = /lostSecrets: \[(.*?)\]/.exec(message)?.[1]?.match(/[\w-]{8}/g) ?? []
      const after = await read({ secret: last, lostSecrets: ids })
      assert.notEqual(after[0], before[0])
      assert.notEqual(after[1], before[1])
      assert.match(String(after[1]), /^\w{32}$/)
      assert.equal((await read({ secret: last, lostSecrets: ids }))[1], after[1])
    })
  },
  options,
)
