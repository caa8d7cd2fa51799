import assert from 'node:assert/strict'
import { it } from 'node:test'

import createKnex from 'knex'

import type { Client } from '../support/client.js'
import type { EventFeed, FedEvent } from '../support/event-feed.js'
import type { FakeClock } from '../support/fake-clock.js'
import { everyHost, TestHost, type HostCase } from '../support/host.js'
import { WebhookProgram, type ProgramAnswer } from '../support/webhook-program.js'

/** How often the server looks for calls that are due. */
const roundSeconds = 10
/** How long a call may take. */
const timeoutSeconds = 15
/** How long nobody else makes the same call. */
const leaseSeconds = 60
const hearing = { event_types: ['message'], apply_markdown: false, queue_lifespan_secs: 604_800 }

interface Bot {
  readonly client: Client
  readonly name: string
  readonly token: string
}

let bots = 0

async function createBot(
  at: HostCase,
  owner: Client,
  payload_url: string,
  more: Record<string, unknown> = {},
): Promise<Bot> {
  bots += 1
  const name = `Echo ${bots}`
  const { body, text } = await owner.post('/bots', {
    full_name: name,
    short_name: `echo${bots}`,
    bot_type: 3,
    payload_url: JSON.stringify(payload_url),
    ...more,
  })
  assert.equal(body.result, 'success', text)
  const { user } = (await owner.get(`/users/${body.user_id}`)).body
  const credentials = { email: user.email as string, apiKey: body.api_key as string }
  const { snapshot } = await owner.listen({ fetch_event_types: ['realm_bot'] })
  const managed = snapshot['realm_bots'] as { user_id: number; services: { token: string }[] }[]
  const token = managed.find(({ user_id }) => user_id === body.user_id)?.services[0]?.token
  return {
    client: at.host.client(at.subdomain, credentials, body.user_id as number, name),
    name,
    token: token as string,
  }
}

/** What feeds have brought and nobody has looked at. */
const unread = new WeakMap<EventFeed, FedEvent[]>()

/** Reads until somebody has written. */
async function untilFrom(feed: EventFeed, sender: Client): Promise<FedEvent['message']> {
  for (;;) {
    const events = unread.get(feed)?.length ? (unread.get(feed) as FedEvent[]) : await feed.poll()
    const index = events.findIndex(
      ({ type, message }) => type === 'message' && message.sender_id === sender.id,
    )
    unread.set(feed, index < 0 ? [] : events.slice(index + 1))
    if (index >= 0) return events[index]?.['message']
  }
}

/** Runs a case with a program and a bot of Alice's that calls it. */
async function withProgram(
  at: HostCase,
  answers: readonly ProgramAnswer[],
  work: (program: WebhookProgram, bot: Bot) => Promise<void>,
  more: Record<string, unknown> = {},
): Promise<void> {
  const program = await WebhookProgram.start()
  program.answers = [...answers]
  try {
    await work(program, await createBot(at, at.people.alice, program.url, more))
  } finally {
    await program.stop()
  }
}

const saying = (content: string): ProgramAnswer => ({ body: JSON.stringify({ content }) })

everyHost(
  'outgoing webhooks',
  (at) => {
    it('are called about a mention in a channel, and answer there', async () => {
      await withProgram(at, [saying('*Pong*')], async (program, bot) => {
        const { bob } = at.people
        const { design } = at.channels
        const [feed, own] = [await bob.listen(hearing), await bot.client.listen(hearing)]
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
        const [{ flags: _, ...message }] = (await bob.get('/messages', look)).body.messages
        const rendered = (await bob.get(`/messages/${id}`)).body.message.content as string
        assert.match(rendered, /class="user-mention"/)
        assert.deepEqual(JSON.parse(call.body), {
          data: content,
          message: { ...message, rendered_content: rendered },
          bot_email: bot.client.email,
          bot_full_name: bot.name,
          token: bot.token,
          trigger: 'mention',
        })
        // The bot is not subscribed: what it is called about is not in its history.
        const heard = (await own.drain()).map((event) => event['message'].id as number)
        assert.ok(!heard.includes(id))
        assert.equal(program.calls.length, 1)
      })
    })

    it('are called about direct messages, and answer everybody in the conversation', async () => {
      await withProgram(at, [saying('One'), saying('Two')], async (program, bot) => {
        const { bob, carol } = at.people
        const [feed, others] = [await bob.listen(hearing), await carol.listen(hearing)]

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

    it('may answer where they are called though they may not write there', async () => {
      const program = await WebhookProgram.start()
      try {
        program.answers = [saying('Quietly')]
        const { alice, bob, carol } = at.people
        const { vault } = at.channels
        const bot = await createBot(at, carol, program.url)
        const feed = await bob.listen(hearing)
        const asked = { type: 'channel', to: vault, topic: 'plans', content: 'Of my own accord' }
        assert.equal((await bot.client.post('/messages', asked)).status, 400)

        await alice.say(vault, 'plans', `@**${bot.name}** quick`)

        assert.equal((await untilFrom(feed, bot.client)).content, 'Quietly')
      } finally {
        await program.stop()
      }
    })

    it('say nothing where they answer that nothing is to be said', async () => {
      const silent = [
        {},
        { body: '{}' },
        { body: '""' },
        saying(' \n'),
        { body: '{"content":"No","response_not_required":true}' },
        { body: '{"response_string":"Old style"}' },
      ]
      await withProgram(at, silent, async (program, bot) => {
        const { bob } = at.people
        const feed = await bob.listen(hearing)
        for (let count = 1; count <= silent.length; count += 1) {
          await bob.say(at.channels.design, 'silence', `@**${bot.name}** ${count}`)
          await program.called(count)
        }

        assert.equal((await untilFrom(feed, bot.client)).content, 'Old style')
      })
    })

    it('are not called by bots, without a mention, or once they are deactivated', async () => {
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

    it('get the form of Slack where they want it', async () => {
      const answers = [{ body: '{"text":"From Slack"}' }]
      await withProgram(
        at,
        answers,
        async (program, bot) => {
          const { bob } = at.people
          const { design } = at.channels
          const feed = await bob.listen(hearing)
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

    const failures: readonly (readonly [string, ProgramAnswer, string, string])[] = [
      [
        'refuses',
        { status: 404, body: 'Not ``` here' },
        'Third party responded with 404',
        'The webhook got a response with status code *404*.\n' +
          'The response contains the following payload:\n````\nNot ``` here\n````',
      ],
      [
        'leads elsewhere',
        { status: 302, headers: { location: '/elsewhere' }, body: '' },
        'Third party responded with 302',
        'The webhook got a response with status code *302*.',
      ],
      [
        'answers no JSON',
        { body: 'Pong' },
        'Invalid JSON in response',
        'The outgoing webhook server attempted to send a message, but that request resulted in ' +
          'the following error:\n> Invalid JSON in response\n' +
          'The response contains the following payload:\n```\nPong\n```',
      ],
      [
        'answers no object',
        { body: '[]' },
        'Invalid response format',
        'The outgoing webhook server attempted to send a message, but that request resulted in ' +
          'the following error:\n> Invalid response format\n' +
          'The response contains the following payload:\n```\n[]\n```',
      ],
      [
        'answers too much',
        { body: JSON.stringify({ content: 'x'.repeat(300_000) }) },
        'The response is too long',
        'The response is too long.',
      ],
    ]
    for (const [title, answer, reply, told] of failures) {
      it(`tell of failing, in place and to their owner, where the program ${title}`, async () => {
        await withProgram(at, [answer], async (program, bot) => {
          const { alice, bob } = at.people
          const { design } = at.channels
          const [feed, owner] = [await bob.listen(hearing), await alice.listen(hearing)]
          const secret = 'The word is swordfish'

          const id = await bob.say(design, 'failing', `@**${bot.name}** ${secret}`)

          assert.equal((await untilFrom(feed, bot.client)).content, `Failure! ${reply}`)
          assert.equal((await untilFrom(owner, bot.client)).content, `Failure! ${reply}`)
          const notice = await untilFrom(owner, bot.client)
          const url = `/#narrow/channel/${design}-design/topic/failing/near/${id}`
          assert.equal(
            notice.content,
            `[A message](${url}) to your bot @_**${bot.name}|${bot.client.id}** triggered an ` +
              `outgoing webhook.\n${told}`,
          )
          assert.equal(notice.type, 'private')
          assert.equal(program.calls.length, 1)
          assert.ok(!at.host.log.join('\n').includes('swordfish'))
          assert.ok(at.host.log.some((line) => line.includes(reply)))
        })
      })
    }

    it('are called again after a while where the program breaks, and then answer', async () => {
      const broken = { status: 503, body: 'later' }
      await withProgram(at, [broken, broken, saying('At last')], async (program, bot) => {
        const { bob } = at.people
        const feed = await bob.listen(hearing)

        await bob.say(at.channels.design, 'patience', `@**${bot.name}** hello`)
        await retry(at, program, bot, 1, 10)
        await retry(at, program, bot, 2, 30)

        assert.equal((await untilFrom(feed, bot.client)).content, 'At last')
      })
    })

    it('are given up after four calls', async () => {
      const broken = { status: 500, body: '' }
      await withProgram(at, [broken, broken, broken, broken], async (program, bot) => {
        const { bob } = at.people
        const feed = await bob.listen(hearing)

        await bob.say(at.channels.design, 'giving up', `@**${bot.name}** hello`)
        for (const [index, delay] of [10, 30, 90].entries()) {
          await retry(at, program, bot, index + 1, delay)
        }

        const { content } = await untilFrom(feed, bot.client)
        assert.equal(content, 'Failure! Third party responded with 500')
      })
    })

    it('are called again where the program does not answer in time', async () => {
      await withProgram(at, [{ hangs: true }, saying('Awake')], async (program, bot) => {
        const { bob } = at.people
        const feed = await bob.listen(hearing)

        await bob.say(at.channels.design, 'sleep', `@**${bot.name}** hello`)
        await program.called(1)
        assert.equal(at.clock.fire(timeoutSeconds), 1)
        await retry(at, program, bot, 1, 10)

        assert.equal((await untilFrom(feed, bot.client)).content, 'Awake')
      })
    })

    it('answer once though two servers have called them', async () => {
      await withProgram(
        at,
        [{ hangs: true, ...saying('First') }, saying('Second')],
        async (program, bot) => {
          const { bob } = at.people
          const second = new TestHost(
            'koa',
            {
              name: at.host.database.name,
              create: async () => ({
                config: at.host.databaseConfig,
                url: '',
                drop: async () => {},
              }),
            },
            { outgoingWebhooks: { privateHosts: ['127.0.0.1'] } },
          )
          await second.start()
          try {
            second.clock.jump(at.clock.seconds - second.clock.seconds)
            const feed = await clientOf(at, second, bob).listen(hearing)
            await bob.say(at.channels.design, 'take-over', `@**${bot.name}** hello`)
            await program.called(1)

            // As if the first server had died: nobody hears of it until its lease has ended.
            second.clock.jump(59)
            await passRound(second)
            assert.equal(program.calls.length, 1)
            second.clock.jump(2)
            while (program.calls.length === 1) await passRound(second)
            const reply = await untilFrom(feed, bot.client)
            const isOver = at.clock.next('cancelled', timeoutSeconds)
            program.release()
            await isOver

            assert.equal(reply.content, 'Second')
            const more = (await feed.drain()).filter(
              (event) => event['message'].sender_id === bot.client.id,
            )
            assert.deepEqual(more, [])
          } finally {
            await second.stop()
          }
        },
      )
    })

    it('are given up when nobody ever hears what came of calling them', async () => {
      const calls = 4
      const hanging = Array.from({ length: calls }, () => ({ hangs: true }))
      await withProgram(at, [...hanging, saying('Never')], async (program, bot) => {
        const { bob } = at.people
        const feed = await bob.listen(hearing)
        await bob.say(at.channels.design, 'poison', `@**${bot.name}** hello`)
        for (let count = 1; count < calls; count += 1) {
          await program.called(count)
          // As if the process had died: its lease ends, and what it called is still silent.
          at.clock.jump(leaseSeconds)
          while (program.calls.length === count) await passRound(at)
        }
        await program.called(calls)
        at.clock.jump(leaseSeconds)
        await passRound(at)

        const { content } = await untilFrom(feed, bot.client)
        assert.equal(content, 'Failure! Bot is unavailable')
        assert.equal(program.calls.length, calls)
      })
    })

    it('are called by another server when one is closed in the middle of a call', async () => {
      await withProgram(at, [{ hangs: true }, saying('From the other')], async (program, bot) => {
        const { bob } = at.people
        const first = new TestHost(
          'express',
          {
            name: at.host.database.name,
            create: async () => ({ config: at.host.databaseConfig, url: '', drop: async () => {} }),
          },
          { outgoingWebhooks: { privateHosts: ['127.0.0.1'] } },
        )
        await first.start()
        first.clock.jump(at.clock.seconds - first.clock.seconds)
        const feed = await bob.listen(hearing)
        const sender = clientOf(at, first, bob)
        await sender.say(at.channels.design, 'closing', `@**${bot.name}** hello`)
        await program.called(1)

        await first.stop()
        while (program.calls.length === 1) await passRound(at)

        assert.equal((await untilFrom(feed, bot.client)).content, 'From the other')
      })
    })
  },
  {},
  { outgoingWebhooks: { privateHosts: ['127.0.0.1'] } },
)

everyHost('outgoing webhooks in private networks', (at) => {
  it('are not called, by address or by name, and their owner hears why', async () => {
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
        const [feed, owner] = [await bob.listen(hearing), await alice.listen(hearing)]

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
  'outgoing webhooks that are off',
  (at) => {
    it('are not called, and cost nothing', async () => {
      const program = await WebhookProgram.start()
      try {
        const { alice, bob } = at.people
        const bot = await createBot(at, alice, program.url)
        const feed = await bob.listen(hearing)

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

/** Waits until so many calls have failed, and lets the time pass until the next one. */
async function retry(
  at: HostCase,
  program: WebhookProgram,
  bot: Bot,
  failures: number,
  delaySeconds: number,
): Promise<void> {
  const knex = createKnex(at.host.databaseConfig)
  try {
    const due_at_seconds = at.clock.seconds + delaySeconds
    const noted = { bot_id: bot.client.id, attempts: failures, due_at_seconds }
    while ((await knex('chat_outgoing_webhook_calls').where(noted).first()) === undefined);
  } finally {
    await knex.destroy()
  }
  at.clock.jump(delaySeconds - 1)
  await passRound(at)
  assert.equal(program.calls.length, failures)
  at.clock.jump(1)
  while (program.calls.length === failures) await passRound(at)
}

/** Lets everything that looks for what is due look once. */
async function passRound({ clock }: { readonly clock: FakeClock }): Promise<void> {
  const isOver = clock.next('set', roundSeconds)
  if (clock.fire(roundSeconds) > 0) await isOver
  else await new Promise((resolve) => setImmediate(resolve))
}

/** A person as a client of another server. */
function clientOf(at: HostCase, host: TestHost, { id, name, email }: Client): Client {
  const users = at.file['users'] as { id: number; api_key: string }[]
  const apiKey = users.find((user) => user.id === id)?.api_key as string
  return host.client(at.subdomain, { email, apiKey }, id, name)
}
