import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyHost } from '../support/host.js'
import {
  messageEvents,
  reachingPrograms,
  retry,
  replyWith,
  timeoutSeconds,
  untilFrom,
  withProgram,
} from '../support/webhook-bots.js'
import type { ProgramAnswer } from '../support/webhook-program.js'

everyHost(
  'outgoing webhooks',
  (at) => {
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
        'returns invalid JSON',
        { body: 'Pong' },
        'Invalid JSON in response',
        'The outgoing webhook server attempted to send a message, but that request resulted in ' +
          'the following error:\n> Invalid JSON in response\n' +
          'The response contains the following payload:\n```\nPong\n```',
      ],
      [
        'returns JSON that is not an object',
        { body: '[]' },
        'Invalid response format',
        'The outgoing webhook server attempted to send a message, but that request resulted in ' +
          'the following error:\n> Invalid response format\n' +
          'The response contains the following payload:\n```\n[]\n```',
      ],
      [
        'returns too much',
        { body: JSON.stringify({ content: 'x'.repeat(300_000) }) },
        'The response is too long',
        'The response is too long.',
      ],
    ]
    for (const [title, answer, reply, message] of failures) {
      it(`report the failure in the conversation and to their owner if the program ${title}`, async () => {
        await withProgram(at, [answer], async (program, bot) => {
          const { alice, bob } = at.people
          const { design } = at.channels
          const [feed, owner] = [await bob.listen(messageEvents), await alice.listen(messageEvents)]
          const secret = 'The word is swordfish'

          const id = await bob.say(design, 'failing', `@**${bot.name}** ${secret}`)

          assert.equal((await untilFrom(feed, bot.client)).content, `Failure! ${reply}`)
          assert.equal((await untilFrom(owner, bot.client)).content, `Failure! ${reply}`)
          const notice = await untilFrom(owner, bot.client)
          const url = `/#narrow/channel/${design}-design/topic/failing/near/${id}`
          assert.equal(
            notice.content,
            `[A message](${url}) to your bot @_**${bot.name}|${bot.client.id}** triggered an ` +
              `outgoing webhook.\n${message}`,
          )
          assert.equal(notice.type, 'private')
          assert.equal(program.calls.length, 1)
          assert.ok(!at.host.log.join('\n').includes('swordfish'))
          assert.ok(at.host.log.some((line) => line.includes(reply)))
        })
      })
    }

    it('are called again after a delay if the program returns a server error, and then reply', async () => {
      const broken = { status: 503, body: 'later' }
      await withProgram(at, [broken, broken, replyWith('At last')], async (program, bot) => {
        const { bob } = at.people
        const feed = await bob.listen(messageEvents)

        await bob.say(at.channels.design, 'patience', `@**${bot.name}** hello`)
        await retry(at, program, bot, 1, 10)
        await retry(at, program, bot, 2, 30)

        assert.equal((await untilFrom(feed, bot.client)).content, 'At last')
      })
    })

    it('are not called again after four calls', async () => {
      const broken = { status: 500, body: '' }
      await withProgram(at, [broken, broken, broken, broken], async (program, bot) => {
        const { bob } = at.people
        const feed = await bob.listen(messageEvents)

        await bob.say(at.channels.design, 'giving up', `@**${bot.name}** hello`)
        for (const [index, delay] of [10, 30, 90].entries()) {
          await retry(at, program, bot, index + 1, delay)
        }

        const { content } = await untilFrom(feed, bot.client)
        assert.equal(content, 'Failure! Third party responded with 500')
      })
    })

    it('are called again if the program does not reply in time', async () => {
      await withProgram(at, [{ hangs: true }, replyWith('Awake')], async (program, bot) => {
        const { bob } = at.people
        const feed = await bob.listen(messageEvents)

        await bob.say(at.channels.design, 'sleep', `@**${bot.name}** hello`)
        await program.called(1)
        assert.equal(at.clock.fire(timeoutSeconds), 1)
        await retry(at, program, bot, 1, 10)

        assert.equal((await untilFrom(feed, bot.client)).content, 'Awake')
      })
    })
  },
  {},
  reachingPrograms,
)
