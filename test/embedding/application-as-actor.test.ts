import assert from 'node:assert/strict'
import { it } from 'node:test'

import { hearing } from '../support/channels.js'
import { makeGroup } from '../support/groups.js'
import { everyDatabase } from '../support/host.js'
import { isOfBot } from '../support/notification-messages.js'

const shownBot =
  '<span class="user-mention silent" data-user-id="2147483001">Notification Bot</span>'

everyDatabase('changes by the application', 'express', (at) => {
  it('are in the name of the Notification Bot, in every message about them', async () => {
    const { alice, olga } = at.people
    const { chat } = at.host
    const here = { organization: at.subdomain }
    const { api } = chat.asSystem(here)
    const { design } = at.channels
    await api.updateRealm({ new_stream_announcements_stream_id: at.channels.general })
    const group = await makeGroup(olga, 'cooks')
    const moved = await alice.say(design, 'soup', 'Leek or potato?')
    const resolved = await alice.say(design, 'salad', 'Done')

    const { alice: received } = await hearing(
      { alice },
      async () => {
        const subscribers = [{ userId: alice.id }]
        const kitchen = { ...here, externalId: 1, name: 'Kitchen', subscribers, announce: true }
        await chat.channels.ensure(kitchen)
        const channel = await chat.channels.find(1, here)
        const stream_id = channel?.id ?? 0
        await api.updateStream({ stream_id, new_name: 'Big kitchen' })
        await api.updateStream({ stream_id, description: 'Where we cook' })
        await api.updateStream({ stream_id, is_private: true })
        await api.updateStream({
          stream_id,
          can_send_message_group: { new: { direct_members: [alice.id], direct_subgroups: [] } },
        })
        await api.createChannel({ name: 'Bar', subscribers: [alice.id], announce: true })
        await api.subscribe({ subscriptions: [{ name: 'empty' }], principals: [alice.id] })
        await api.updateUserGroupMembers({ user_group_id: group, add: [alice.id] })
        await api.updateUserGroupMembers({ user_group_id: group, delete: [alice.id] })
        await api.updateMessage({
          message_id: moved,
          stream_id,
          topic: 'starters',
          propagate_mode: 'change_all',
          send_notification_to_old_thread: true,
        })
        await api.updateMessage({ message_id: resolved, topic: '✔ salad' })
      },
      { event_types: ['message'], apply_markdown: true },
    )

    const texts = received.filter(isOfBot).map(({ message }) => message.content as string)
    assert.deepEqual(
      texts.filter((text) => !text.includes(shownBot) || text.includes('**')),
      [],
    )
    assert.equal(texts.length, 14)
  })
})
