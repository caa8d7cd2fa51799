import assert from 'node:assert/strict'
import { it } from 'node:test'

import { clientOfBot, makeBot } from '../support/bots.js'
import { everyHost } from '../support/host.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

const noDefaults = {
  default_sending_stream: null,
  default_events_register_stream: null,
  default_all_public_streams: false,
}

everyHost('send-message', (at) => {
  it('is the only operation that incoming webhook bots can call', async () => {
    const { alice, bob } = at.people
    const hook = clientOfBot(at, await makeBot(alice, { bot_type: 2 }))
    const feed = await bob.listen({ event_types: ['message'] })

    const id = await hook.say(at.channels.general, 'news', 'It rains')

    assert.equal((await feed.poll())[0]?.['message'].id, id)
    const message = 'This API is not available to incoming webhook bots.'
    for (const answer of [
      await hook.get('/users/me'),
      await hook.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 }),
      await hook.post('/register'),
      await hook.patch('/realm', { name: 'x' }),
    ]) {
      assertRefused(answer, message, { status: 401, code: 'UNAUTHORIZED' })
    }
  })
})

everyHost('get-bots', (at) => {
  it("lists the caller's own active bots", async () => {
    const { bob, olga } = at.people
    const first = await makeBot(bob)
    const second = await makeBot(bob, { default_sending_stream: 'general' })
    const deactivated = await makeBot(bob)
    await bob.delete(`/bots/${deactivated.user_id}`)

    const { body } = await bob.get('/bots')

    assert.deepEqual(
      body.bots.map((bot: Record<string, unknown>) => ({ ...bot, avatar_url: '' })),
      [first, second].map(({ user_id, email, full_name, api_key }, index) => ({
        user_id,
        username: email,
        full_name,
        api_key,
        avatar_url: '',
        ...noDefaults,
        default_sending_stream: index === 1 ? 'general' : null,
      })),
    )
    assert.deepEqual((await olga.get('/bots')).body, { ...bareSuccess, bots: [] })
  })

  it('refuses guests and bots', async () => {
    const { gus, bot } = at.people
    assertRefused(await gus.get('/bots'), 'Not allowed for guest users')
    assertRefused(await bot.get('/bots'), 'This endpoint does not accept bot requests.')
  })
})
