import assert from 'node:assert/strict'
import { it } from 'node:test'

import { findTexts, readTables } from '../support/database-texts.js'
import { FakeMail } from '../support/fake-mail.js'
import { existingDatabase } from '../support/databases.js'
import { everyDatabase, TestHost, type HostCase, type HostOptions } from '../support/host.js'
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
    'the first key of a bot': String(bot.body.api_key),
    'the key of a bot': String(replaced.body.api_key),
    'the token of a bot': String(added?.bot.services?.[0]?.token),
    'a ticket': String(ticket.body.ticket),
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

    it('keeps addresses for mail when the secret changes', async () => {
      const { alice } = at.people
      const read = async (host: TestHost): Promise<unknown> => {
        const client = host.client(at.subdomain, alice.credentials, alice.id, 'alice')
        const answer = await client.get(`/streams/${at.channels.general}/email_address`)
        return answer.status === 200 ? answer.body.email : answer.text
      }
      const address = await read(at.host)
      const database = existingDatabase(at.host.database, at.host.databaseConfig)
      const next = 'second'.padEnd(32, '-')
      const run = async (changes: HostOptions): Promise<unknown> => {
        const host = new TestHost('express', database, { ...options, ...changes })
        await host.start()
        try {
          return await read(host)
        } finally {
          await host.stop()
        }
      }

      assert.equal(await run({ secret: next, previousSecrets: [secret] }), address)
      assert.equal(await run({ secret, previousSecrets: [next] }), address)
    })
  },
  options,
)
