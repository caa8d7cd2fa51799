import assert from 'node:assert/strict'
import { it } from 'node:test'

import createKnex from 'knex'

import { everyHost, type HostCase } from '../support/host.js'
import { until } from '../support/waiting.js'
import {
  createBot,
  messageEvents,
  passRound,
  reachingPrograms,
  replyWith,
  retry,
  untilFrom,
  type Bot,
} from '../support/webhook-bots.js'
import { WebhookProgram, type ProgramAnswer } from '../support/webhook-program.js'

const broken: ProgramAnswer = { status: 503, body: '' }
const waiting: ProgramAnswer = { hangs: true, ...replyWith('An answer') }

/** A bot of Carol's, whom no private channel has. */
async function withBotOfCarol(
  at: HostCase,
  answers: readonly ProgramAnswer[],
  work: (program: WebhookProgram, bot: Bot) => Promise<void>,
): Promise<void> {
  const program = await WebhookProgram.start()
  program.answers = [...answers]
  try {
    await work(program, await createBot(at, at.people.carol, program.url))
  } finally {
    await program.stop()
  }
}

/** Waits until there is no call of the bot any more, after `look` each time. */
async function untilOver(
  at: HostCase,
  { client }: Bot,
  look: () => Promise<void> = async () => {},
): Promise<void> {
  const knex = createKnex(at.host.databaseConfig)
  try {
    await until('the end of the call', async () => {
      await look()
      return (await knex('chat_outgoing_webhook_calls').where({ bot_id: client.id })).length === 0
    })
  } finally {
    await knex.destroy()
  }
}

/** The messages of a bot, in all places. */
async function sentBy(at: HostCase, { client }: Bot): Promise<unknown[]> {
  const knex = createKnex(at.host.databaseConfig)
  try {
    return await knex('chat_messages').where({ sender_id: client.id })
  } finally {
    await knex.destroy()
  }
}

everyHost(
  'outgoing webhooks and access',
  (at) => {
    /** Alice mentions the bot where everybody may read it. */
    const mention = ({ name }: Bot): Promise<number> =>
      at.people.alice.say(at.channels.general, 'open', `@**${name}** hello`)
    const changes: Readonly<Record<string, (id: number, bot: Bot) => Promise<void>>> = {
      'whose message is moved to where neither they nor their owner may read it': async (id) => {
        const { alice } = at.people
        const moved = { stream_id: at.channels.secret, topic: 'hush' }
        assert.equal((await alice.patch(`/messages/${id}`, moved)).status, 200)
        const changed = await alice.patch(`/messages/${id}`, { content: 'A secret' })
        assert.equal(changed.status, 200, changed.text)
      },
      'whose message is deleted': async (id) => {
        assert.equal((await at.people.olga.delete(`/messages/${id}`)).status, 200)
      },
      'that are deactivated': async (_id, bot) => {
        assert.equal((await at.people.carol.delete(`/bots/${bot.client.id}`)).status, 200)
      },
      'whose owner is deactivated': async () => {
        const { olga, carol } = at.people
        assert.equal((await olga.delete(`/users/${carol.id}`)).status, 200)
      },
    }

    for (const [name, change] of Object.entries(changes)) {
      if (name.includes('owner is deactivated')) continue
      it(`are not called again: those ${name}`, async () => {
        await withBotOfCarol(at, [broken], async (program, bot) => {
          const id = await mention(bot)
          await program.called(1)
          await change(id, bot)
          await untilOver(at, bot, async () => {
            at.clock.jump(100)
            await passRound(at)
          })

          assert.equal(program.calls.length, 1)
          assert.deepEqual(await sentBy(at, bot), [])
        })
      })
    }

    it('are called with what the message is now, if they may read it', async () => {
      await withBotOfCarol(at, [broken, replyWith('Seen')], async (program, bot) => {
        const { alice } = at.people
        const id = await mention(bot)
        await program.called(1)
        const moved = { stream_id: at.channels.design, topic: 'elsewhere' }
        assert.equal((await alice.patch(`/messages/${id}`, moved)).status, 200)
        const feed = await alice.listen(messageEvents)
        await retry(at, program, bot, 1, 10)

        assert.equal((await untilFrom(feed, bot.client)).content, 'Seen')
        const { message } = JSON.parse(program.calls[1]?.body ?? '') as {
          message: Record<string, unknown>
        }
        assert.equal(message['subject'], 'elsewhere')
      })
    })

    it('get a message of a private channel in which they are mentioned, and reply there', async () => {
      await withBotOfCarol(at, [replyWith('Here')], async (program, { name, client }) => {
        const feed = await at.people.alice.listen(messageEvents)
        await at.people.alice.say(at.channels.secret, 'inside', `@**${name}** hello`)

        assert.equal((await untilFrom(feed, client)).content, 'Here')
        assert.equal(program.calls.length, 1)
      })
    })

    it('do not name a place to their owner that the owner may not see', async () => {
      await withBotOfCarol(at, [{ status: 404, body: '' }], async (_program, { name, client }) => {
        const feed = await at.people.carol.listen(messageEvents)
        await at.people.alice.say(at.channels.secret, 'inside', `@**${name}** hello`)

        const { content } = await untilFrom(feed, client)
        assert.match(content, /^A message to your bot @_\*\*/)
        assert.doesNotMatch(content, /secret|inside/)
      })
    })

    for (const [name, change] of Object.entries(changes)) {
      it(`do not reply: those ${name}, during the call`, async () => {
        await withBotOfCarol(at, [waiting], async (program, bot) => {
          const id = await mention(bot)
          await program.called(1)
          await change(id, bot)
          program.release()
          await untilOver(at, bot)

          assert.deepEqual(await sentBy(at, bot), [])
        })
      })
    }
  },
  {},
  reachingPrograms,
)
