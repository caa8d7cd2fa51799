import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyHost } from '../support/host.js'
import {
  createBot,
  messageEvents,
  reachingPrograms,
  roundSeconds,
  replyWith,
  untilFrom,
  withProgram,
} from '../support/webhook-bots.js'
import { WebhookProgram } from '../support/webhook-program.js'

everyHost(
  'outgoing webhooks',
  (at) => {
    it('are called about a mention in a channel, and reply there', async () => {
      await withProgram(at, [replyWith('*Pong*')], async (program, bot) => {
        const { bob } = at.people
        const { design } = at.channels
        const [feed, own] = [
          await bob.listen(messageEvents),
          await bot.client.listen(messageEvents),
        ]
        const content = `@**${bot.name}** ping`

        const id = await bob.say(design, 'games', content)

        const reply = await untilFrom(feed, bot.client)
        assert.deepEqual(
          [reply.content, reply.subject, reply.stream_id, reply.client],
          ['*Pong*', 'games', design, 'OutgoingWebhookResponse'],
        )
        const call = await program.called(1)
        assert.deepEqual([call.method, call.path], ['POST', '/hook?x=1'])
        assert.equal(call.headers['content-type'], 'application/json')
        assert.equal(call.headers.host, `127.0.0.1:${program.port}`)
        const look = { message_ids: [id], apply_markdown: false, client_gravatar: false }
        const { flags: _, ...message } = (await bob.get('/messages', look)).body.messages[0]!
        const rendered = (await bob.get(`/messages/${id}`)).body.message.content
        assert.match(rendered, /class="user-mention"/)
        assert.deepEqual(JSON.parse(call.body), {
          data: content,
          message: { ...message, rendered_content: rendered },
          bot_email: bot.client.email,
          bot_full_name: bot.name,
          token: bot.token,
          trigger: 'mention',
        })
        // The bot is not subscribed: the message that it is called about is not in its history.
        const received = (await own.drain()).map((event) => event['message'].id as number)
        assert.ok(!received.includes(id))
        assert.equal(program.calls.length, 1)
      })
    })

    it('have U+FFFD in replies for U+0000 and halves of surrogate pairs', async () => {
      await withProgram(at, [replyWith('Po\0ng \ud83d')], async (_program, bot) => {
        const feed = await at.people.bob.listen(messageEvents)

        await at.people.bob.say(at.channels.design, 'games', `@**${bot.name}** ping`)

        assert.equal((await untilFrom(feed, bot.client)).content, 'Po\ufffdng \ufffd')
      })
    })

    it('pass hooks of content before they reply', async () => {
      await withProgram(at, [replyWith('*Pong*')], async (_program, bot) => {
        const { bob } = at.people
        const feed = await bob.listen(messageEvents)
        const end = at.host.chat.before('content', ({ text, operation, user }) => {
          if (operation !== undefined) return undefined
          return `${text} from ${user?.id}`
        })

        await bob.say(at.channels.design, 'games', `@**${bot.name}** ping`)

        const reply = await untilFrom(feed, bot.client)
        end()
        assert.equal(reply.content, `*Pong* from ${bot.client.id}`)
      })
    })

    it('are called about direct messages, and reply to the whole conversation', async () => {
      await withProgram(at, [replyWith('One'), replyWith('Two')], async (program, bot) => {
        const { bob, carol } = at.people
        const [feed, others] = [await bob.listen(messageEvents), await carol.listen(messageEvents)]

        await bob.whisper([bot.client], 'Just you')
        const first = await untilFrom(feed, bot.client)
        await bob.whisper([bot.client, carol], 'You two')
        const second = await untilFrom(feed, bot.client)

        assert.deepEqual([first.content, first.type], ['One', 'private'])
        assert.equal(second.content, 'Two')
        assert.equal((await untilFrom(others, bot.client)).content, 'Two')
        const bodies = program.calls.map(({ body }) => JSON.parse(body))
        assert.deepEqual(
          bodies.map(({ trigger, data }) => [trigger, data]),
          [
            ['direct_message', 'Just you'],
            ['direct_message', 'You two'],
          ],
        )
        assert.equal(bodies[1].message.display_recipient.length, 3)
      })
    })

    it('can reply where they are called even if they may not post there', async () => {
      const program = await WebhookProgram.start()
      try {
        program.answers = [replyWith('Quietly')]
        const { alice, bob, carol } = at.people
        const { vault } = at.channels
        const bot = await createBot(at, carol, program.url)
        const feed = await bob.listen(messageEvents)
        const params = { type: 'channel', to: vault, topic: 'plans', content: 'Of my own accord' }
        assert.equal((await bot.client.post('/messages', params)).status, 400)

        await alice.say(vault, 'plans', `@**${bot.name}** quick`)

        assert.equal((await untilFrom(feed, bot.client)).content, 'Quietly')
      } finally {
        await program.stop()
      }
    })

    it('post no message if the program replies without content', async () => {
      const silent = [
        {},
        { body: '{}' },
        { body: '""' },
        replyWith(' \n'),
        { body: '{"content":"No","response_not_required":true}' },
        { body: '{"response_string":"Old style"}' },
      ]
      await withProgram(at, silent, async (program, bot) => {
        const { bob } = at.people
        const feed = await bob.listen(messageEvents)
        for (let count = 1; count <= silent.length; count += 1) {
          await bob.say(at.channels.design, 'silence', `@**${bot.name}** ${count}`)
          await program.called(count)
        }

        assert.equal((await untilFrom(feed, bot.client)).content, 'Old style')
      })
    })

    it('are not called by bots, without a mention, or after their deactivation', async () => {
      await withProgram(at, [], async (program, bot) => {
        const { alice, bob, bot: other } = at.people
        const { design, general } = at.channels
        const mention = `@**${bot.name}**`
        await other.say(general, 'loops', `${mention} hello`)
        await other.whisper([bot.client], 'hello')
        await bob.say(design, 'loops', `@_**${bot.name}** hello`)
        await bob.say(design, 'loops', `\`${mention}\` hello`)
        await bob.whisper([alice], `${mention} is great`)
        const late = await bob.say(design, 'loops', 'hello')
        await bob.patch(`/messages/${late}`, { content: `${mention} hello` })
        await bob.say(design, 'loops', `${mention} last`)
        const last = JSON.parse((await program.called(1)).body)
        assert.equal(last.data, `${mention} last`)

        await alice.delete(`/bots/${bot.client.id}`)
        await bob.say(design, 'loops', `${mention} gone`)

        at.clock.fire(roundSeconds)
        const sentinel = await createBot(at, alice, program.url)
        await bob.say(design, 'loops', `@**${sentinel.name}** sentinel`)
        const next = JSON.parse((await program.called(2)).body)
        assert.equal(next.bot_full_name, sentinel.name)
      })
    })

    it('are called in the format of Slack if they are configured so', async () => {
      const answers = [{ body: '{"text":"From Slack"}' }]
      await withProgram(
        at,
        answers,
        async (program, bot) => {
          const { bob } = at.people
          const { design } = at.channels
          const feed = await bob.listen(messageEvents)
          const content = `@**${bot.name}** what & when?`

          await bob.say(design, 'slack', content)

          assert.equal((await untilFrom(feed, bot.client)).content, 'From Slack')
          const call = await program.called(1)
          assert.equal(call.headers['content-type'], 'application/x-www-form-urlencoded')
          const { team_id, team_domain, ...fields } = Object.fromEntries(
            new URLSearchParams(call.body),
          )
          const time = String(at.clock.seconds)
          assert.match(team_id ?? '', /^T\d+$/)
          assert.equal(team_domain, at.subdomain)
          assert.deepEqual(fields, {
            token: bot.token,
            channel_id: `C${design}`,
            channel_name: 'design',
            thread_ts: time,
            timestamp: time,
            user_id: `U${bob.id}`,
            user_name: 'Bob Test',
            text: content,
            trigger_word: 'mention',
            service_id: String(bot.client.id),
          })
          await bob.whisper([bot.client], 'And here?')
          assert.equal(
            (await untilFrom(feed, bot.client)).content,
            "Failure! Slack outgoing webhooks don't support direct messages.",
          )
          assert.equal(program.calls.length, 1)
        },
        { interface_type: 2 },
      )
    })
  },
  {},
  reachingPrograms,
)

everyHost('outgoing webhooks in private networks', (at) => {
  it('are not called, by address or by host name, and their owner is notified of the reason', async () => {
    const program = await WebhookProgram.start()
    try {
      const { alice, bob } = at.people
      const urls = [
        program.url,
        `http://localhost:${program.port}/`,
        `http://[::1]:${program.port}/`,
        `http://[::ffff:127.0.0.1]:${program.port}/`,
        `http://2130706433:${program.port}/`,
        'http://169.254.169.254/latest/meta-data',
      ]
      for (const url of urls) {
        const bot = await createBot(at, alice, url)
        const [feed, owner] = [await bob.listen(messageEvents), await alice.listen(messageEvents)]

        await bob.say(at.channels.design, 'private', `@**${bot.name}** hello`)

        assert.equal(
          (await untilFrom(feed, bot.client)).content,
          'Failure! Bot is unavailable',
          url,
        )
        await untilFrom(owner, bot.client)
        assert.match(
          (await untilFrom(owner, bot.client)).content,
          /\nThe URL configured for the webhook is for a private or disallowed network\.$/,
        )
      }
      assert.deepEqual(program.calls, [])
    } finally {
      await program.stop()
    }
  })
})

everyHost(
  'outgoing webhooks that are disabled',
  (at) => {
    it('are not called, and post no message', async () => {
      const program = await WebhookProgram.start()
      try {
        const { alice, bob } = at.people
        const bot = await createBot(at, alice, program.url)
        const feed = await bob.listen(messageEvents)

        await bob.say(at.channels.design, 'off', `@**${bot.name}** hello`)
        at.clock.fire(roundSeconds)

        const senders = (await feed.drain()).map((event) => event['message'].sender_id as number)
        assert.ok(!senders.includes(bot.client.id))
        assert.deepEqual(program.calls, [])
      } finally {
        await program.stop()
      }
    })
  },
  {},
  { outgoingWebhooks: 'off' },
)
