import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Answer, Client } from '../support/client.js'
import { everyHost } from '../support/host.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

const report = (client: Client, id: number, report_type = 'spam', description?: string) =>
  client.post(`/messages/${id}/report`, { report_type, description })

everyHost('report-message', (at) => {
  const openChannel = async (): Promise<Answer> =>
    at.people.olga.patch('/realm', { moderation_request_channel_id: at.channels.vault })

  it('is refused if the organization has no channel for moderation requests', async () => {
    const id = await at.people.bob.say(at.channels.design, 'spam', 'Buy')

    assertRefused(
      await report(at.people.alice, id, 'other'),
      'Moderation request channel must be specified to enable message reporting.',
    )
  })

  it('sends the report as a message from the notification bot, only to that channel', async () => {
    const { alice, bob, carol, gus } = at.people
    assert.equal((await openChannel()).status, 200)
    const id = await bob.say(at.channels.general, 'spam', 'Buy *now*')
    const feeds = [await bob.listen({ apply_markdown: false }), await alice.listen()]
    const otherFeeds = [await carol.listen(), await gus.listen()]

    const answer = await report(gus, id, 'norms', ' Again ')

    assert.deepEqual(answer.body, bareSuccess)
    const [event] = await (feeds[0] as NonNullable<(typeof feeds)[0]>).drain()
    const message: Record<string, unknown> = event?.['message']
    assert.equal(message['sender_full_name'], 'Notification Bot')
    assert.equal(message['stream_id'], at.channels.vault)
    assert.equal(message['subject'], 'Bob Test moderation requests')
    assert.equal(
      message['content'],
      `@_**Gus Test|${gus.id}** reported #**general>spam@${id}** sent by @_**Bob Test|${bob.id}**.` +
        '\n\n- Reason: **Violates community norms**\n\n```quote\nAgain\n```\n\n' +
        `\`\`\`spoiler Message sent by @_**Bob Test|${bob.id}**\nBuy *now*\n\`\`\``,
    )
    assert.equal((await (feeds[1] as NonNullable<(typeof feeds)[1]>).drain()).length, 1)
    for (const feed of otherFeeds) assert.deepEqual(await feed.drain(), [])
  })

  it('accepts direct messages, and truncates long reports', async () => {
    const { alice, bob } = at.people
    await openChannel()
    const id = await bob.whisper([alice], 'y'.repeat(10_000))
    const feed = await bob.listen({ apply_markdown: false })

    assert.deepEqual((await report(alice, id, 'other', 'z'.repeat(1000))).body, bareSuccess)

    const content = (await feed.drain())[0]?.['message'].content as string
    assert.match(content, /reported a direct message sent by/)
    assert.equal(content.length, 10_000)
    assert.match(content, /\[message truncated\]\n```$/)
  })

  it('refuses inaccessible messages, and invalid or missing reasons', async () => {
    const { alice, bob, carol } = at.people
    await openChannel()
    const hidden = await bob.say(at.channels.vault, 'plans', 'Hidden')
    const feed = await bob.listen()

    for (const id of [hidden, 99_999_999]) {
      assertRefused(await report(carol, id), 'Invalid message(s)')
    }
    assertRefused(await report(alice, hidden, 'other'), 'An explanation is required.')
    assertRefused(await report(alice, hidden, 'other', ' '), 'An explanation is required.')
    assertRefused(await report(alice, hidden, 'boring'), 'Invalid report_type')
    assertRefused(
      await report(alice, hidden, 'spam', 'd'.repeat(1001)),
      'description is too long (limit: 1000 characters)',
    )
    assertRefused(
      await alice.post(`/messages/${hidden}/report`),
      "Missing 'report_type' argument",
      { code: 'REQUEST_VARIABLE_MISSING', var_name: 'report_type' },
    )
    assert.equal((await report(at.nobody, hidden)).status, 401)
    assert.deepEqual(await feed.drain(), [])
  })
})
