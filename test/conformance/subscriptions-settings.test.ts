import assert from 'node:assert/strict'
import { it } from 'node:test'

import { hearing } from '../support/channels.js'
import type { Client } from '../support/client.js'
import { withoutIds } from '../support/event-feed.js'
import { everyHost } from '../support/host.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

everyHost('update-subscription-settings', (at) => {
  const change = (client: Client, property: string, value: unknown, stream_id: number) =>
    client.post('/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id, property, value }],
    })

  it('changes each setting and sends the event only to the user, also if the value stays the same', async () => {
    const { bob, alice } = at.people
    const { design } = at.channels
    const switches = [
      'pin_to_top',
      'desktop_notifications',
      'audible_notifications',
      'push_notifications',
      'email_notifications',
      'wildcard_mentions_notify',
    ]
    const received = await hearing({ alice, bob }, async () => {
      for (const property of switches) await change(bob, property, true, design)
      await change(bob, 'color', '#ABCDEF', design)
      assert.deepEqual((await change(bob, 'color', '#ABCDEF', design)).body, bareSuccess)
    })

    const event = (property: string, value: unknown) => ({
      type: 'subscription',
      op: 'update',
      stream_id: design,
      property,
      value,
    })
    assert.deepEqual(withoutIds(received.bob), [
      ...switches.map((property) => event(property, true)),
      event('color', '#abcdef'),
      event('color', '#abcdef'),
    ])
    assert.deepEqual(received.alice, [])
    const list = (await bob.get('/users/me/subscriptions')).body.subscriptions
    assert.equal(list[0]!.color, '#abcdef')
    assert.equal(list[0]!.email_notifications, true)
  })

  it('accepts is_muted and in_home_view, and sends both events, the legacy in_home_view first', async () => {
    const { bob } = at.people
    const received = await hearing({ bob }, async () => {
      await change(bob, 'is_muted', true, at.channels.vault)
      await change(bob, 'in_home_view', true, at.channels.vault)
    })

    assert.deepEqual(
      received.bob.map(({ property, value }) => [property, value]),
      [
        ['in_home_view', false],
        ['is_muted', true],
        ['in_home_view', true],
        ['is_muted', false],
      ],
    )
  })

  it('applies the items in order, and keeps those before an invalid one', async () => {
    const { bob } = at.people

    const answer = await bob.post('/users/me/subscriptions/properties', {
      subscription_data: [
        { stream_id: at.channels.general, property: 'pin_to_top', value: true },
        { stream_id: at.channels.general, property: 'shape', value: true },
      ],
    })

    assertRefused(answer, 'Unknown subscription property: shape')
    const list = (await bob.get('/users/me/subscriptions')).body.subscriptions
    assert.equal(list.find((item) => item.name === 'general')!.pin_to_top, true)
  })

  it('accepts calls by guests and bots, and archived channels', async () => {
    const { gus, bot, alice } = at.people

    assert.equal((await change(gus, 'is_muted', true, at.channels.general)).status, 200)
    assert.equal((await change(bot, 'is_muted', true, at.channels.general)).status, 200)
    assert.equal((await change(alice, 'pin_to_top', true, at.channels.attic)).status, 200)
  })

  it('rejects invalid channels and values', async () => {
    const { bob } = at.people
    const { design, empty, secret } = at.channels

    assertRefused(await change(bob, 'is_muted', true, at.unknownId), 'Invalid channel ID')
    assertRefused(await change(bob, 'is_muted', true, secret), 'Invalid channel ID')
    assertRefused(
      await change(bob, 'is_muted', true, empty),
      `Not subscribed to channel ID ${empty}`,
    )
    assertRefused(await change(bob, 'is_muted', 'yes', design), 'is_muted is not a boolean')
    assertRefused(await change(bob, 'pin_to_top', null, design), 'pin_to_top is not a boolean')
    assertRefused(await change(bob, 'color', true, design), 'color is not a string')
    assertRefused(
      await change(bob, 'color', 'blue', design),
      'Invalid subscription_data[0]: Value error, color is not a valid hex color code',
    )
    assertRefused(
      await bob.post('/users/me/subscriptions/properties'),
      "Missing 'subscription_data' argument",
      { code: 'REQUEST_VARIABLE_MISSING', var_name: 'subscription_data' },
    )
  })
})
