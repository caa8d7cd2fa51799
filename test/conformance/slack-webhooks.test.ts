import assert from 'node:assert/strict'
import { it } from 'node:test'

import { clientOfBot, makeBot } from '../support/bots.js'
import { everyHost } from '../support/host.js'
import { newest, post, webhookBot } from '../support/incoming-webhooks.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

everyHost('send-slack-webhook-message', (at) => {
  it('sends the text to the channel and the topic of the URL', async () => {
    const { alice, bob } = at.people
    const bot = await webhookBot(alice)

    for (const stream of ['design', at.channels.design]) {
      const place = { api_key: bot.api_key, stream, topic: 'builds' }
      const answer = await post(at, 'slack_incoming', place, {
        text: '*Done* at <https://a.example|A>',
      })

      assert.deepEqual(answer.body, { ...bareSuccess, ok: true })
      const message = await newest(bob)
      assert.equal(message!.content, '**Done** at [A](https://a.example)')
      assert.equal(message!.display_recipient, 'design')
      assert.equal(message!.subject, 'builds')
      assert.equal(message!.sender_id, bot.user_id)
      assert.equal(message!.client, 'SlackIncomingWebhook')
    }
  })

  it('reads the form field payload too', async () => {
    const { alice, bob } = at.people
    const { api_key } = await webhookBot(alice)
    const form = new URLSearchParams({ payload: JSON.stringify({ text: 'From a form' }) })

    const answer = await post(
      at,
      'slack_incoming',
      { api_key, stream: 'design', topic: 'forms' },
      form.toString(),
      { 'content-type': 'application/x-www-form-urlencoded' },
    )

    assert.equal(answer.status, 200, answer.text)
    assert.equal((await newest(bob))!.content, 'From a form')
  })

  it('reads JSON of any content type that is not that of a form', async () => {
    const { alice, bob } = at.people
    const { api_key } = await webhookBot(alice)
    const place = { api_key, stream: 'design', topic: 'types' }

    for (const type of [
      'text/plain',
      'text/plain; charset=utf-8',
      'application/octet-stream',
      'application/vnd.api+json',
      // The default of curl.
      'application/x-www-form-urlencoded',
      undefined,
    ]) {
      const headers = type === undefined ? {} : { 'content-type': type }
      const answer = await post(at, 'slack_incoming', place, { text: `by ${type} & ?a=b` }, headers)

      assert.equal(answer.status, 200, answer.text)
      assert.equal((await newest(bob))!.content, `by ${type} & ?a=b`)
    }
    assertRefused(
      await post(at, 'slack_incoming', place, 'no JSON', { 'content-type': 'text/plain' }),
      'payload is not valid JSON',
    )
  })

  it('shows numbers, and the text if a block is of an unknown kind', async () => {
    const { alice, bob } = at.people
    const { api_key } = await webhookBot(alice)
    const place = { api_key, stream: 'design', topic: 'kinds' }

    await post(at, 'slack_incoming', place, {
      text: 'In words',
      blocks: [{ type: 'of_the_future', id: 'x' }],
      attachments: [{ fields: [{ title: 'Load', value: 93.5 }] }],
    })

    assert.equal((await newest(bob))!.content, 'In words\n\n**Load**: 93.5')
  })

  it('uses the channel of the payload as the topic if the URL has none', async () => {
    const { alice, bob } = at.people
    const { api_key } = await webhookBot(alice)
    const place = { api_key, stream: 'design' }

    await post(at, 'slack_incoming', place, { text: 'a', channel: '#alerts' })
    assert.equal((await newest(bob))!.subject, 'alerts')

    await post(at, 'slack_incoming', place, { text: 'b' })
    assert.equal((await newest(bob))!.subject, 'general chat')
  })

  it("sends a direct message to the bot's owner if the URL has no channel", async () => {
    const { alice } = at.people
    const bot = await webhookBot(alice)

    const answer = await post(at, 'slack_incoming', { api_key: bot.api_key }, { text: 'hello' })

    assert.equal(answer.status, 200, answer.text)
    const message = await newest(alice)
    assert.equal(message!.type, 'private')
    assert.deepEqual(
      message!.display_recipient.map(({ id }: { id: number }) => id).toSorted(),
      [alice.id, bot.user_id].toSorted(),
    )
  })

  it('refuses wrong and missing keys, before it reads the body', async () => {
    const wrong = { status: 401, code: 'INVALID_API_KEY' }
    for (const api_key of ['x'.repeat(32), 'short', '']) {
      assertRefused(await post(at, 'slack_incoming', { api_key }, '{'), 'Invalid API key', wrong)
    }
    assertRefused(
      await post(at, 'slack_incoming', {}, { text: 'a' }),
      "Missing 'api_key' argument",
      { code: 'REQUEST_VARIABLE_MISSING', var_name: 'api_key' },
    )
    assertRefused(
      await at.nobody.post('/external/slack_incoming', { api_key: 'x'.repeat(32), payload: '{}' }),
      "Missing 'api_key' argument",
      { code: 'REQUEST_VARIABLE_MISSING', var_name: 'api_key' },
    )
  })

  it('refuses keys of users and of other bots', async () => {
    const { alice } = at.people
    const generic = await makeBot(alice)
    const keys = [generic.api_key, alice.credentials?.apiKey ?? '']

    for (const api_key of keys) {
      const place = { api_key, stream: 'design', topic: 'a' }
      assertRefused(
        await post(at, 'slack_incoming', place, { text: 'a' }),
        'This API is only available to incoming webhook bots.',
        { code: 'UNAUTHORIZED_PRINCIPAL' },
      )
    }
  })

  it('refuses the key of a bot that was deactivated, and one that was replaced', async () => {
    const { alice } = at.people
    const bot = await webhookBot(alice)
    const place = { api_key: bot.api_key, stream: 'design', topic: 'a' }
    assert.equal((await post(at, 'slack_incoming', place, { text: 'a' })).status, 200)

    await alice.post(`/bots/${bot.user_id}/api_key/regenerate`)
    assert.equal((await post(at, 'slack_incoming', place, { text: 'a' })).status, 401)

    const other = await webhookBot(alice)
    const otherPlace = { ...place, api_key: other.api_key }
    assert.equal((await post(at, 'slack_incoming', otherPlace, { text: 'a' })).status, 200)
    await alice.delete(`/bots/${other.user_id}`)
    assertRefused(
      await post(at, 'slack_incoming', otherPlace, { text: 'a' }),
      'Account is deactivated',
      {
        status: 401,
        code: 'USER_DEACTIVATED',
      },
    )
  })

  it('does not accept the key for any other operation', async () => {
    const { alice } = at.people
    const bot = await webhookBot(alice)

    const answer = await at.nobody.post(`/messages?api_key=${bot.api_key}`, {
      type: 'channel',
      to: 'design',
      topic: 'a',
      content: 'a',
    })

    assert.equal(answer.status, 401)
    assert.equal(answer.body.code, 'UNAUTHORIZED')
  })

  it('accepts an Authorization header instead of the key', async () => {
    const { alice, bob } = at.people
    const bot = clientOfBot(at, await webhookBot(alice))

    const answer = await bot.post('/external/slack_incoming?stream=design&topic=head', {
      payload: { text: 'by header' },
    })

    assert.equal(answer.status, 200, answer.text)
    assert.equal((await newest(bob))!.content, 'by header')
  })

  it('returns the errors of messages', async () => {
    const { alice } = at.people
    const { api_key } = await webhookBot(alice)
    const design = { api_key, stream: 'design', topic: 'a' }

    const missing = await post(
      at,
      'slack_incoming',
      { ...design, stream: 'nowhere' },
      { text: 'a' },
    )
    const secret = await post(at, 'slack_incoming', { ...design, stream: 'secret' }, { text: 'a' })
    assert.equal(missing.body.code, 'STREAM_DOES_NOT_EXIST')
    assert.equal(secret.status, 200)
    for (const payload of [{}, [], 'text', 7, null, { text: {}, blocks: {}, attachments: 'x' }]) {
      assertRefused(
        await post(at, 'slack_incoming', design, JSON.stringify(payload)),
        'Message must not be empty',
      )
    }
    assertRefused(await post(at, 'slack_incoming', design, '{'), 'payload is not valid JSON')
    assertRefused(await post(at, 'slack_incoming', design, ''), "Missing 'payload' argument", {
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'payload',
    })
  })

  it('logs no key', async () => {
    const { alice } = at.people
    const { api_key } = await webhookBot(alice)

    await post(at, 'slack_incoming', { api_key, stream: 'design', topic: 'a' }, { text: 'a' })

    assert.ok(!at.host.log.join().includes(api_key))
  })
})

everyHost(
  'send-slack-webhook-message',
  (at) => {
    it('passes the text of the message to hooks of content', async () => {
      const { alice, bob } = at.people
      const { api_key } = await webhookBot(alice)
      const seen: string[] = []
      const stop = at.host.chat.before('content', ({ kind, text }) => {
        seen.push(`${kind}: ${text}`)
        return text.replace('secret', '[hidden]')
      })

      try {
        await post(
          at,
          'slack_incoming',
          { api_key, stream: 'design' },
          { text: 'a *secret*', channel: 'b' },
        )

        assert.deepEqual(seen, ['message.content: a **secret**', 'message.topic: b'])
        assert.equal((await newest(bob))!.content, 'a **[hidden]**')
      } finally {
        stop()
      }
    })
  },
  {},
  {},
)
