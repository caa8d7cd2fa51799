import assert from 'node:assert/strict'
import { it } from 'node:test'

import createKnex from 'knex'

import type { Answer, Client } from '../support/client.js'
import { everyDatabase, type HostCase } from '../support/host.js'

const senders = 8

everyDatabase('the writes of a caller whose account changes concurrently', 'express', (at) => {
  /** Makes `by` write repeatedly, through two processes, until one write is rejected. */
  async function writing(
    by: Client,
    write: (client: Client, index: number) => Promise<Answer>,
    change: () => Promise<Answer>,
  ): Promise<number> {
    const other = await at.host.another('express')
    let accepted = 0
    let isChanged = false
    const underWay = withResolver()
    const loop = async (client: Client): Promise<void> => {
      for (let index = 0; ; index += 1) {
        const began = isChanged
        const { status } = await write(client, index)
        // The processes get SQLite's lock in no order: one may wait so long that it has to try again.
        if (status === 503) continue
        if (status !== 200) return
        assert.ok(!began, 'A write that started after the change was accepted')
        accepted += 1
        if (accepted === senders * 2) underWay.resolve()
      }
    }
    try {
      const clients = Array.from({ length: senders }, (_, index) =>
        index % 2 === 0 ? by : other.clientOf(by),
      )
      const loops = Promise.all(clients.map(loop))
      await Promise.race([underWay.promise, loops])
      let changed = await change()
      while (changed.status === 503) changed = await change()
      isChanged = true
      assert.equal(changed.status, 200, changed.text)
      await loops
    } finally {
      await other.stop()
    }
    return accepted
  }

  it('are not committed after the account is deactivated', async () => {
    const { bob, adam } = at.people
    const send = (client: Client, index: number): Promise<Answer> =>
      client.post('/messages', {
        type: 'channel',
        to: at.channels.general,
        topic: 'lunch',
        content: String(index),
      })

    const accepted = await writing(bob, send, () => adam.delete(`/users/${bob.id}`))

    const log = await logOf(at)
    const end = log.findLastIndex(({ kind }) => kind === 'realm_user/update')
    assert.ok(end > 0 && accepted > 0)
    assert.deepEqual(
      log.slice(end).filter(({ kind, data }) => kind === 'message' && data.includes('"lunch"')),
      [],
    )
  })

  it('are not committed after the account has lost the required role', async () => {
    const { adam, olga } = at.people
    const rename = (client: Client, index: number): Promise<Answer> =>
      client.patch(`/streams/${at.channels.design}`, {
        description: `${client.endpoint.origin} ${index} ${Math.random()}`,
      })

    const accepted = await writing(adam, rename, () =>
      olga.patch(`/users/${adam.id}`, { role: 400 }),
    )

    const log = await logOf(at)
    const end = log.findLastIndex(
      ({ kind, data }) => kind === 'realm_user/update' && data.includes('"role"'),
    )
    assert.ok(end > 0 && accepted > 0)
    assert.deepEqual(
      log.slice(end).filter(({ kind }) => kind === 'stream/update'),
      [],
    )
  })

  it('are not committed after the permission to post was removed', async () => {
    const { carol, olga } = at.people
    const made = await olga.post('/user_groups/create', {
      name: 'writers',
      description: '',
      members: [carol.id],
    })
    const groupId = made.body.group_id
    const allowed = await olga.patch(`/streams/${at.channels.design}`, {
      can_send_message_group: { new: groupId },
    })
    assert.equal(allowed.status, 200, allowed.text)
    const send = (client: Client, index: number): Promise<Answer> =>
      client.post('/messages', {
        type: 'channel',
        to: at.channels.design,
        topic: 'dinner',
        content: String(index),
      })

    const accepted = await writing(carol, send, () =>
      olga.post(`/user_groups/${groupId}/members`, { delete: [carol.id] }),
    )

    const log = await logOf(at)
    const end = log.findLastIndex(({ kind }) => kind === 'user_group/remove_members')
    assert.ok(end > 0 && accepted > 0)
    assert.deepEqual(
      log.slice(end).filter(({ kind, data }) => kind === 'message' && data.includes('"dinner"')),
      [],
    )
  })

  it('are not committed after the sender has left a private channel', async () => {
    const { carol, olga } = at.people
    const made = await olga.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'closed circle' }],
      principals: [carol.id, olga.id],
      invite_only: true,
    })
    assert.equal(made.status, 200, made.text)
    const { body } = await olga.get('/get_stream_id', { stream: 'closed circle' })
    const send = (client: Client, index: number): Promise<Answer> =>
      client.post('/messages', {
        type: 'channel',
        to: body.stream_id,
        topic: 'supper',
        content: String(index),
      })

    const accepted = await writing(carol, send, () =>
      olga.delete('/users/me/subscriptions', {
        subscriptions: ['closed circle'],
        principals: [carol.id],
      }),
    )

    const log = await logOf(at)
    const end = log.findLastIndex(({ kind }) => kind === 'subscription/remove')
    assert.ok(end > 0 && accepted > 0)
    assert.deepEqual(
      log.slice(end).filter(({ kind, data }) => kind === 'message' && data.includes('"supper"')),
      [],
    )
  })
})

/** The entries of the log, in the order of the commits. */
async function logOf(at: HostCase): Promise<{ kind: string; data: string }[]> {
  const knex = createKnex(at.host.databaseConfig)
  const rows = await knex('chat_events').orderBy('seq').select('kind', 'data')
  await knex.destroy()
  return rows as { kind: string; data: string }[]
}

function withResolver(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
