import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import type { QuotaName } from '@parley/core'

import { freshBot } from '../support/bots.js'
import type { Answer } from '../support/client.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { FakeMail } from '../support/fake-mail.js'
import { TestHost, type HostCase } from '../support/host.js'
import { attempts, quotaCases, remaining } from '../support/quota-cases.js'
import { sendFiles, upload } from '../support/uploads.js'

const limits: Partial<Record<QuotaName, number>> = {
  ...Object.fromEntries(quotaCases.map(({ quota, present = 0 }) => [quota, present + remaining])),
  attachmentsPerUser: 3,
  newChannelsPerRequest: 3,
  subscriptionsPerRequest: 5,
  choicesPerProfileField: 2,
  submessageBytesPerMessage: 400,
  subgroupsPerUserGroup: 1,
}

reportSkippedColumns()
for (const database of databaseColumns()) {
  describe(`quotas (${database.name})`, () => {
    const host = new TestHost('express', database, { quotas: limits, mail: new FakeMail() })
    let at: HostCase
    before(async () => {
      await host.start()
      at = { ...(await host.organization()), host, clock: host.clock }
    })
    after(() => host.stop())

    const refused = (answer: Answer, of: string, limit: number) => {
      assert.equal(answer.status, 400, answer.text)
      assert.deepEqual(answer.body, {
        result: 'error',
        msg: `Too many ${of} (limit: ${limit})`,
        code: 'BAD_REQUEST',
      })
    }

    for (const { quota, refusal, present = 0, make } of quotaCases) {
      it(`of ${quota} are not exceeded by concurrent requests`, async () => {
        const indexes = Array.from({ length: attempts }, (_, index) => index)
        const answers = await Promise.all(indexes.map((index) => make(at, index)))

        // A channel that already is a default channel is not counted again.
        const made = answers.filter(({ status }) => status === 200).length
        const expected = quota === 'defaultChannelsPerOrganization' ? remaining + 2 : remaining
        assert.equal(made, expected, answers.map(({ text }) => text).join('\n'))
        for (const answer of answers) {
          if (answer.status !== 200) refused(answer, refusal, present + remaining)
        }
      })
    }

    it('are not exceeded by concurrent requests to two servers', async () => {
      const another = await host.another('koa', { quotas: limits })
      try {
        const here = at.people.carol
        const clients = [here, another.clientOf(here), here, another.clientOf(here), here]
        const answers = await Promise.all(
          clients.map((client, index) =>
            client.post('/saved_snippets', { title: `t${index}`, content: 'c' }),
          ),
        )

        assert.equal(answers.filter(({ status }) => status === 200).length, remaining)
        const { body } = await here.get('/saved_snippets')
        assert.equal(body.saved_snippets.length, remaining)
        assert.deepEqual(another.log, [])
      } finally {
        await another.stop()
      }
    })

    it('of submessages limit their bytes', async () => {
      const { alice, bob } = at.people
      const message_id = await alice.say(at.channels.design, 'lunch', '/poll Why?')
      const attach = (content: string) =>
        bob.post('/submessage', { message_id, msg_type: 'widget', content })

      const content = JSON.stringify('ü'.repeat(100))
      assert.equal((await attach(content)).status, 200)
      refused(await attach(content), 'bytes in the submessages of one message', 400)
      assert.equal((await attach('"ü"')).status, 200)
    })

    it('of user groups count system groups and subgroups', async () => {
      const { adam } = at.people
      const { body } = await adam.get('/user_groups', { include_deactivated_groups: true })
      const count = (body.user_groups as unknown[]).length
      const another = await host.another('koa', {
        quotas: { ...limits, userGroupsPerOrganization: count + 1 },
      })
      try {
        const there = another.clientOf(adam)
        const create = (name: string, subgroups: readonly number[] = []) =>
          there.post('/user_groups/create', { name, description: '', members: [], subgroups })
        const [first, second] = (body.user_groups as { id: number }[]).map(({ id }) => id)

        refused(
          await create('nested', [first as number, second as number]),
          'subgroups of one user group',
          1,
        )
        assert.equal((await create('one')).status, 200)
        refused(await create('two'), 'user groups', count + 1)
      } finally {
        await another.stop()
      }
    })

    it('of requests limit what a single request creates', async () => {
      const { alice, adam, bob, carol, olga } = at.people
      const names = ['n1', 'n2', 'n3', 'n4']
      const many = await alice.post('/users/me/subscriptions', {
        subscriptions: names.map((name) => ({ name })),
      })
      const wide = await alice.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'general' }, { name: 'design' }],
        principals: [alice.id, bob.id, carol.id, olga.id],
      })
      const choices = Object.fromEntries(
        names.map((name, index) => [name, { text: name, order: String(index) }]),
      )
      const field = await adam.post('/realm/profile_fields', {
        name: 'Choice',
        field_type: 3,
        field_data: choices,
      })

      refused(many, 'new channels in one request', 3)
      refused(wide, 'subscriptions in one request', 5)
      refused(field, 'choices of one custom profile field', 2)
    })

    it('of bots apply to the new owner of a transferred bot', async () => {
      const { adam, mona, carol, bot } = at.people
      for (const _ of [1, 2]) await mona.post('/bots', freshBot())

      const toMona = await adam.patch(`/bots/${bot.id}`, { bot_owner_id: mona.id })
      const toAdam = await adam.patch(`/bots/${bot.id}`, { bot_owner_id: adam.id })

      refused(toMona, 'bots', remaining)
      assert.equal(toAdam.status, 200, toAdam.text)
      refused(await carol.post('/bots', freshBot()), 'bots', remaining)
    })

    it('of default channels apply to updates of channels', async () => {
      const { people, channels } = at
      const answers = []
      for (const id of [channels.design, channels.empty, channels.window]) {
        answers.push(await people.adam.patch(`/streams/${id}`, { is_default_stream: true }))
      }

      const refusals = answers.filter(({ status }) => status !== 200)
      assert.equal(refusals.length, 1)
      refused(refusals[0] as Answer, 'default channels', 1 + remaining)
    })

    it('of files count files that messages link to', async () => {
      const { mona } = at.people
      const { general } = at.channels
      for (const _ of [1, 2, 3]) {
        await mona.say(general, 'files', `[file](${await upload(mona)})`)
      }

      refused(await sendFiles(mona, '/user_uploads', [{}]), 'uploaded files', 3)
    })

    it('apply to each user separately, and allow new items after a deletion', async () => {
      const { alice, bob } = at.people
      const add = (word: string) => bob.post('/users/me/alert_words', { alert_words: [word] })

      assert.equal((await add('one')).status, 200)
      assert.equal((await add('two')).status, 200)
      refused(await add('three'), 'alert words', remaining)
      assert.equal((await add('TWO')).status, 200)
      await bob.delete('/users/me/alert_words', { alert_words: ['one'] })
      assert.equal((await add('three')).status, 200)
      assert.equal((await alice.get('/users/me/alert_words')).body.alert_words.length, remaining)
      assert.deepEqual(host.log, [])
    })
  })
}
