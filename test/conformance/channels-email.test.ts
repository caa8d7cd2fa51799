import assert from 'node:assert/strict'
import { it } from 'node:test'

import { makeGroup } from '../support/groups.js'
import { everyHost } from '../support/host.js'
import { assertRefused } from '../support/refusal.js'

everyHost('get-stream-email-address', (at) => {
  const pathOf = (channelId: number): string => `/streams/${channelId}/email_address`

  it('returns an empty address, because the server receives no email', async () => {
    const { alice, gus } = at.people
    const gateway = 2_147_483_003

    for (const sender_id of [undefined, alice.id, at.people.bot.id, gateway]) {
      const params = sender_id === undefined ? {} : { sender_id }
      const { body } = await alice.get(pathOf(at.channels.general), params)
      assert.deepEqual(body, { result: 'success', msg: '', email: '' })
    }
    assert.equal((await gus.get(pathOf(at.channels.general))).status, 200)
  })

  it('is restricted to users who can read the channel', async () => {
    for (const [client, channelId] of [
      [at.people.olga, at.channels.secret],
      [at.people.gus, at.channels.design],
      [at.people.alice, at.unknownId],
    ] as const) {
      assertRefused(await client.get(pathOf(channelId)), 'Invalid channel ID')
    }
  })

  it('is restricted to users who can post in the channel', async () => {
    const { alice, bob } = at.people
    const { general } = at.channels
    const group = await makeGroup(alice, 'posting', { members: [alice.id] })
    await at.people.olga.patch(`/streams/${general}`, { can_send_message_group: { new: group } })

    assert.equal((await alice.get(pathOf(general))).status, 200)
    assertRefused(
      await bob.get(pathOf(general)),
      'You do not have permission to post in this channel.',
    )
  })

  it("accepts as sender only the caller, the caller's bots and the email gateway", async () => {
    const { alice, bob, olga, bot } = at.people
    const path = pathOf(at.channels.design)

    assertRefused(await alice.get(path, { sender_id: bob.id }), 'No such bot')
    assertRefused(await alice.get(path, { sender_id: at.unknownId }), 'No such bot')
    assertRefused(await bob.get(path, { sender_id: bot.id }), 'Insufficient permission')
    assertRefused(await olga.get(path, { sender_id: bot.id }), 'Insufficient permission')
  })
})
