import assert from 'node:assert/strict'
import { before, it } from 'node:test'

import { makeBot } from '../support/bots.js'
import type { Client } from '../support/client.js'
import { makeGroup, systemGroupId } from '../support/groups.js'
import { everyDatabase, type HostCase } from '../support/host.js'
import { addressOf, incomingMail, newest } from '../support/incoming-mails.js'
import { subscribeBots, withCrowd } from '../support/mentionable-crowd.js'
import { MissedMails, pass } from '../support/missed-mails.js'

const missed = new MissedMails()

const wildcards = ['all', 'everyone', 'channel', 'stream', 'topic']
const written = [
  ...wildcards.map((name) => `@**${name}**`),
  '@*ops*',
  '`@**all**`',
  '\n```text\n@**all** @*ops*\n```',
].join(' ')
const silent = [
  ...wildcards.map((name) => `@_**${name}**`),
  '@_*ops*',
  '`@**all**`',
  '\n```text\n@**all** @*ops*\n```',
].join(' ')

/** Posts to a webhook of a bot of `owner`. @returns the content of the message. */
async function webhook(
  at: HostCase,
  owner: Client,
  name: string,
  text: string,
  channel: number,
): Promise<string> {
  const { api_key } = await makeBot(owner, { bot_type: 2 })
  const query = new URLSearchParams({ api_key, stream: String(channel), topic: 'busy' })
  const body = Buffer.from(JSON.stringify({ text }))
  const answer = await at.nobody.send('POST', `/external/${name}?${query}`, body, {
    'content-type': 'application/json',
    'content-length': String(body.length),
  })
  assert.equal(answer.status, 200, answer.text)
  return (await newest(owner)).content
}

/** Passes a mail to the chat. @returns the content of the message. */
async function mail(at: HostCase, from: string, recipient: string, text: string): Promise<string> {
  const raw = `From: ${from}\r\nSubject: busy\r\n\r\n${text.replaceAll('\n', '\r\n')}`
  const result = await at.host.chat.receiveMail(raw, { recipient })
  assert.equal(result.status, 'sent', JSON.stringify(result))
  return (await newest(at.people.alice)).content
}

/** The address for replies in the mail to a user about a message that mentions the user. */
async function replyAddress(at: HostCase, user: Client, name: string): Promise<string> {
  await at.people.alice.say(at.channels.general, 'busy', `@**${name}** hi`)
  await pass(at)
  const { replyTo } = await missed.server.arrived(user.email, 1)
  return replyTo?.value[0]?.address ?? ''
}

everyDatabase(
  'mentions of many users in texts from outside',
  'express',
  (at) => {
    subscribeBots(at)
    before(async () => {
      const { olga } = at.people
      const nobody = await systemGroupId(olga, 'role:nobody')
      await makeGroup(olga, 'ops', { can_mention_group: nobody })
      await makeGroup(olga, 'a@b', { can_mention_group: nobody })
    })

    it('are silent in replies of users who may not use them', async () => {
      const { bob } = at.people
      const to = await replyAddress(at, bob, 'Bob Test')

      assert.equal(await mail(at, bob.email, to, written), silent)
    })

    it('have their effect in replies of users who may use them', async () => {
      const { adam } = at.people
      const to = await replyAddress(at, adam, 'Adam Test')

      assert.equal(await mail(at, adam.email, to, '@**all** @*ops*'), '@**all** @_*ops*')
    })

    it('are silent in webhooks of bots that may not use them', async () => {
      const { alice, bob } = at.people
      const feed = await bob.listen({ event_types: ['message'] })

      assert.equal(await webhook(at, alice, 'json', written, at.channels.general), silent)
      for (const name of wildcards) {
        assert.equal(
          await webhook(at, alice, 'slack_incoming', `@**${name}** *now*`, at.channels.general),
          `@_**${name}** **now**`,
        )
      }

      const flags = (await feed.drain()).map((event) => event['flags'])
      assert.deepEqual(
        flags,
        Array.from({ length: 1 + wildcards.length }, () => []),
      )
    })

    it('have their effect in webhooks of bots that may use them', async () => {
      const { alice, bob } = at.people
      const feed = await bob.listen({ event_types: ['message'] })
      const few = '@**all** @**topic**'

      assert.equal(await webhook(at, alice, 'json', few, at.channels.design), few)

      const [event] = await feed.drain()
      assert.ok(event?.['flags'].includes('stream_wildcard_mentioned'))
    })

    it('are silent if the bot may use only some of them', async () => {
      const { alice } = at.people

      assert.equal(
        await webhook(at, alice, 'json', '@**all** @*ops* @*a@b*', at.channels.design),
        '@_**all** @_*ops* @_*a@b*',
      )
      assert.equal(
        await webhook(at, alice, 'json', '@**all** @*ops*', at.channels.design),
        '@**all** @_*ops*',
      )
    })

    it('are silent in mails of others to channels, whoever sends the messages', async () => {
      const { adam, bot, alice, bob } = at.people
      const { general, design } = at.channels
      const feed = await bob.listen({ event_types: ['message'] })
      const addresses = [
        await addressOf(adam, general),
        await addressOf(adam, general, adam.id),
        await addressOf(alice, general, bot.id),
        await addressOf(alice, design),
      ]

      for (const address of addresses) {
        const to = address.replace('.show-sender', '')
        assert.equal(await mail(at, 'eve@outside.example', to, written), silent)
      }

      for (const { flags } of (await feed.drain()) as unknown as { flags: string[] }[]) {
        assert.deepEqual(flags, [])
      }
    })

    it("have their effect in the user's own mails to channels, if the user may use them", async () => {
      const { adam, alice } = at.people
      const { general } = at.channels

      for (const [user, content] of [
        [adam, '@**all**'],
        [alice, '@_**all**'],
      ] as const) {
        const to = (await addressOf(user, general, user.id)).replace('.show-sender', '')
        assert.equal(await mail(at, user.email, to, '@**all**'), content)
      }
    })
  },
  { ...missed.options, incomingMail },
  withCrowd,
)
