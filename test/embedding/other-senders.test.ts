import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { describe, it } from 'node:test'

import { createChatServer, type MetricMessage } from '@parley/core'
import { createChatMiddleware } from '@parley/express'
import express from 'express'

import { LocalEventBus } from '../../packages/core/src/events/bus/bus.js'
import { measures } from '../../packages/core/src/kernel/telemetry/metrics.js'
import { databaseColumns } from '../support/databases.js'
import { until } from '../support/waiting.js'
import { Product } from './product.js'

const kind = 'typing_edit_message/start'
const edit = (senderId: number, userIds: readonly number[]) => ({
  sender_id: senderId,
  message_id: 1,
  recipient: { type: 'direct', user_ids: userIds },
})

for (const column of databaseColumns()) {
  describe(`what an application's bus brings from elsewhere (${column.name})`, () => {
    it('names no users of another organization', async () => {
      const database = await column.create()
      const bus = new LocalEventBus()
      const chat = createChatServer({
        database: database.config,
        bus,
        rateLimits: 'off',
        resolveOrganization: ({ headers }) => String(headers['x-organization']),
      })
      const refused: unknown[] = []
      const note = (message: unknown): void => {
        const { chat: from, name, attributes } = message as MetricMessage
        if (from === chat && name === measures.busRefusals.name) refused.push(attributes)
      }
      subscribe('parley:metric', note)
      await chat.start()
      const product = await Product.listen(express().use(createChatMiddleware(chat)))
      const one = product.cast('one')
      const two = product.cast('two', 200)
      await chat.organizations.load(one.file)
      await chat.organizations.load(two.file)
      const reported: unknown[] = []
      let organizationId = 0
      chat.on('realm_user/update', (event) => {
        organizationId = event.organizationId
      })
      chat.on(kind, (event) => {
        reported.push(event)
      })
      await one.people.alice.patch('/settings', { full_name: 'Alice of one' })
      await until('the id of the organization', () => organizationId > 0)
      const [alice, bob, stranger] = [one.people.alice.id, one.people.bob.id, two.people.bob.id]
      const publish = (userIds: readonly number[], data: object): void =>
        bus.publishEphemeral({ organizationId, kind, userIds, data })

      publish([stranger], edit(alice, [alice]))
      publish([alice], edit(stranger, [alice]))
      publish([alice], edit(alice, [alice, stranger]))
      publish([alice], { ...edit(alice, [alice]), content: 'not declared' })
      publish([alice, bob], edit(alice, [alice, bob]))

      await until('the last event', () => reported.length > 0)
      assert.deepEqual(
        reported.map((event) => (event as { userIds: number[] }).userIds),
        [[alice, bob]],
      )
      assert.deepEqual(refused, [
        { 'parley.reason': 'form' },
        ...Array.from({ length: 3 }, () => ({ 'parley.reason': 'users' })),
      ])
      unsubscribe('parley:metric', note)
      await product[Symbol.asyncDispose]()
      await chat.close()
      await database.drop()
    })
  })
}
