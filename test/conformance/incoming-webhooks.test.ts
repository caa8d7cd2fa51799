import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyHost } from '../support/host.js'
import { newest, post, webhookBot } from '../support/incoming-webhooks.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

everyHost('send-json-webhook-message', (at) => {
  it('sends the text as Markdown, in the topic of the URL or of the body', async () => {
    const { alice, bob } = at.people
    const { api_key } = await webhookBot(alice)
    const payload = { text: '**full** *disk* <b>', topic: 'disks', stream: { any: 'thing' } }

    const answer = await post(at, 'json', { api_key, stream: 'design' }, payload)
    const message = await newest(bob)
    assert.deepEqual(answer.body, { ...bareSuccess, id: message!.id })
    assert.equal(message!.content, '**full** *disk* <b>')
    assert.equal(message!.subject, 'disks')
    assert.equal(message!.client, 'JsonIncomingWebhook')

    await post(at, 'json', { api_key, stream: 'design', topic: 'alerts' }, payload)
    assert.equal((await newest(bob))!.subject, 'alerts')
  })

  it('has U+FFFD for U+0000 and halves of surrogate pairs, which no other text may have', async () => {
    const { alice, bob } = at.people
    const { api_key } = await webhookBot(alice)
    const place = { api_key, stream: 'design' }

    await post(at, 'json', place, { text: 'disk\0 \ud83d', topic: 'c\0d' })
    const { content, subject } = (await newest(bob))!
    await post(at, 'json', place, { 'key\0': ['\udc00'] })
    const other = await newest(bob)

    assert.deepEqual([content, subject], ['disk\ufffd \ufffd', 'c\ufffdd'])
    assert.match(other!.content, /"key\ufffd": \[\s*"\ufffd"/)
  })

  it('shows any other JSON as a code block', async () => {
    const { alice, bob } = at.people
    const { api_key } = await webhookBot(alice)

    for (const [payload, content] of [
      [{ a: '```' }, '````json\n{\n  "a": "```"\n}\n````'],
      [[1, 'two'], '```json\n[\n  1,\n  "two"\n]\n```'],
      ['only text', '```json\n"only text"\n```'],
      [null, '```json\nnull\n```'],
    ] as const) {
      const answer = await post(at, 'json', { api_key, stream: 'design' }, JSON.stringify(payload))

      assert.equal(answer.status, 200, answer.text)
      const message = await newest(bob)
      assert.equal(message!.content, content)
      assert.equal(message!.subject, 'JSON')
    }
  })

  it('shows the beginning of JSON that is too long', async () => {
    const { alice, bob } = at.people
    const { api_key } = await webhookBot(alice)
    let deep: unknown = Array.from({ length: 10_000 }, () => [1])
    for (let depth = 0; depth < 90; depth += 1) deep = [deep]

    const answer = await post(at, 'json', { api_key, stream: 'design' }, { deep })

    assert.equal(answer.status, 200, answer.text)
    const { content } = (await newest(bob))!
    assert.ok(content.length <= 10_000)
    assert.ok(content.startsWith('```json\n{"deep":[[[[') && content.endsWith('\n```'))
  })

  it("sends a direct message to the bot's owner if the URL has no channel", async () => {
    const { alice } = at.people
    const { api_key } = await webhookBot(alice)

    await post(at, 'json', { api_key }, { text: 'to you' })

    assert.equal((await newest(alice))!.content, 'to you')
  })

  it('refuses keys as the other webhook does', async () => {
    assertRefused(await post(at, 'json', { api_key: 'x'.repeat(32) }, {}), 'Invalid API key', {
      status: 401,
      code: 'INVALID_API_KEY',
    })
  })
})

everyHost(
  'send-json-webhook-message',
  (at) => {
    it('requires a channel if the bot has no owner', async () => {
      const { olga } = at.people
      const api_key = 'ownerless'.padEnd(32, 'x')

      assertRefused(
        await post(at, 'json', { api_key }, { text: 'a' }),
        "Missing 'stream' argument",
        {
          code: 'REQUEST_VARIABLE_MISSING',
          var_name: 'stream',
        },
      )
      const place = { api_key, stream: 'general', topic: 'a' }
      assert.equal((await post(at, 'json', place, { text: 'to all' })).status, 200)
      assert.equal((await newest(olga))!.content, 'to all')
    })
  },
  {
    more: ({ people, base }) => ({
      bots: [
        {
          id: people.bot,
          email: 'usual@bots.example',
          full_name: 'Usual bot',
          owner_id: people.alice,
          api_key: 'usual'.padEnd(32, 'x'),
        },
        {
          id: base + 50,
          email: 'ownerless@bots.example',
          full_name: 'No owner',
          owner_id: null,
          bot_type: 2,
          api_key: 'ownerless'.padEnd(32, 'x'),
        },
      ],
    }),
  },
)

everyHost(
  'send-json-webhook-message',
  (at) => {
    it('has the rate limit of other requests', async () => {
      const { alice } = at.people
      const { api_key } = await webhookBot(alice)
      const place = { api_key, stream: 'design', topic: 'a' }

      const answers = [
        await post(at, 'json', place, { text: '1' }),
        await post(at, 'json', place, { text: '2' }),
        await post(at, 'json', place, { text: '3' }),
      ]

      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 429],
      )
    })
  },
  {},
  { rateLimits: { apiByUser: [{ windowSeconds: 60, maxRequests: 2 }] } },
)
