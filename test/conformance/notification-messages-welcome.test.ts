import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyHost } from '../support/host.js'
import { bots, notificationMessagesOf } from '../support/notification-messages.js'
import { assertRefused } from '../support/refusal.js'

const path = '/realm/test_welcome_bot_custom_message'

everyHost('test-welcome-bot-custom-message', (at) => {
  it('sends the text as a message of the Welcome Bot to the caller only', async () => {
    const { adam, olga } = at.people
    let id = 0

    const received = await notificationMessagesOf({ adam, olga }, async () => {
      const { body } = await adam.post(path, {
        welcome_message_custom_text: 'Lunch is at **one**.',
      })
      id = body.message_id
    })

    assert.deepEqual(received, {
      adam: [{ place: 'direct', content: 'Lunch is at **one**.', flags: [] }],
      olga: [],
    })
    const { message } = (await adam.get(`/messages/${id}`)).body
    assert.equal(message.sender_id, bots.welcome)
    assert.equal((await adam.get(`/users/${adam.id}`)).status, 200)
  })

  it('returns an error to users who are not administrators', async () => {
    for (const client of [at.people.mona, at.people.alice, at.people.gus, at.people.bot]) {
      const answer = await client.post(path, { welcome_message_custom_text: 'x' })
      assertRefused(answer, 'Must be an organization administrator', {
        code: 'UNAUTHORIZED_PRINCIPAL',
      })
    }
  })

  it('requires a text of at most 8000 characters', async () => {
    const { adam } = at.people
    const send = (welcome_message_custom_text: string) =>
      adam.post(path, { welcome_message_custom_text })

    assertRefused(await send(' '), 'welcome_message_custom_text cannot be blank')
    assertRefused(
      await send('x'.repeat(8001)),
      'welcome_message_custom_text is too long (limit: 8000 characters)',
    )
    assert.equal((await send('x'.repeat(8000))).status, 200)
    assert.equal((await adam.post(path)).body.code, 'REQUEST_VARIABLE_MISSING')
  })
})

everyHost('create-user', (at) => {
  it("sends the organization's custom text as the message of the Welcome Bot", async () => {
    const { olga } = at.people
    const account = { email: 'nora@new.example', password: 'correct horse battery staple' }
    await olga.patch('/realm', { welcome_message_custom_text: 'Lunch is at one.' })

    const { body } = await olga.post('/users', { ...account, full_name: 'Nora New' })

    const { username, password } = { username: account.email, password: account.password }
    const key = (await at.nobody.post('/fetch_api_key', { username, password })).body.api_key
    const nora = at.host.client(
      at.subdomain,
      { email: account.email, apiKey: key },
      body.user_id,
      'nora',
    )
    const { messages } = (
      await nora.get('/messages', {
        anchor: 'newest',
        num_before: 10,
        num_after: 0,
        narrow: [{ operator: 'dm', operand: [bots.welcome] }],
        apply_markdown: false,
      })
    ).body
    assert.deepEqual(
      messages.map(({ content, flags }) => [content.slice(0, 16), flags]),
      [
        ['Hello, and welco', ['starred']],
        ['Lunch is at one.', []],
      ],
    )
  })
})
