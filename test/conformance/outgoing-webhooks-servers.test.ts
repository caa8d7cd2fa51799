import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyHost } from '../support/host.js'
import {
  messageEvents,
  leaseSeconds,
  passRound,
  reachingPrograms,
  replyWith,
  timeoutSeconds,
  untilCalledAgain,
  untilFrom,
  withProgram,
} from '../support/webhook-bots.js'

everyHost(
  'outgoing webhooks',
  (at) => {
    it('reply once even if two servers have called them', async () => {
      await withProgram(
        at,
        [{ hangs: true, ...replyWith('First') }, replyWith('Second')],
        async (program, bot) => {
          const { bob } = at.people
          const second = await at.host.another('koa', reachingPrograms)
          try {
            const feed = await second.clientOf(bob).listen(messageEvents)
            await bob.say(at.channels.design, 'take-over', `@**${bot.name}** hello`)
            await program.called(1)

            // The first server has crashed: the second one waits until the lease ends.
            second.clock.jump(59)
            await passRound(second)
            assert.equal(program.calls.length, 1)
            second.clock.jump(2)
            await untilCalledAgain(second, program, 1)
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

    it('fail after four calls whose results no server has recorded', async () => {
      const calls = 4
      const hanging = Array.from({ length: calls }, () => ({ hangs: true }))
      await withProgram(at, [...hanging, replyWith('Never')], async (program, bot) => {
        const { bob } = at.people
        const feed = await bob.listen(messageEvents)
        await bob.say(at.channels.design, 'poison', `@**${bot.name}** hello`)
        for (let count = 1; count < calls; count += 1) {
          await program.called(count)
          // The process has crashed: its lease ends, and the call has no recorded result.
          at.clock.jump(leaseSeconds)
          await untilCalledAgain(at, program, count)
        }
        await program.called(calls)
        at.clock.jump(leaseSeconds)
        await passRound(at)

        const { content } = await untilFrom(feed, bot.client)
        assert.equal(content, 'Failure! Bot is unavailable')
        assert.equal(program.calls.length, calls)
      })
    })

    it('are called by another server if a server is closed during a call', async () => {
      await withProgram(
        at,
        [{ hangs: true }, replyWith('From the other')],
        async (program, bot) => {
          const { bob } = at.people
          const first = await at.host.another('express', reachingPrograms)
          const feed = await bob.listen(messageEvents)
          const sender = first.clientOf(bob)
          await sender.say(at.channels.design, 'closing', `@**${bot.name}** hello`)
          await program.called(1)

          await first.stop()
          await untilCalledAgain(at, program, 1)

          assert.equal((await untilFrom(feed, bot.client)).content, 'From the other')
        },
      )
    })
  },
  {},
  reachingPrograms,
)
