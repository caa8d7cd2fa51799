import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyDatabase } from '../support/host.js'

/** Calls a method as an application in plain JavaScript, with options that it does not have. */
type AnyMethod = (...values: readonly unknown[]) => unknown

everyDatabase('names that the calls of the application do not have', 'express', (at) => {
  const organization = () => at.subdomain

  it('are refused as options, and nothing is done', async () => {
    const { chat } = at.host
    const alice = chat.as({ userId: at.people.alice.id, organization: organization() })
    const message = { type: 'channel', to: at.channels.general, topic: 'sent', content: 'never' }
    const ada = { externalId: 'ada', email: 'ada@app.example', fullName: 'Ada' }
    const channel = { externalId: 'never', name: 'Never', organization: organization() }
    const { users, channels, invitations, organizations } = chat
    const calls: readonly [name: string, owner: object, ...values: unknown[]][] = [
      ['sendMessage', alice.api, message],
      ['getOwnUser', alice.api, {}],
      ['id', alice],
      ['chat.users.sync', users, [ada]],
      ['chat.users.find', users, 'ada'],
      ['chat.users.idOf', users, ['ada']],
      ['chat.users.externalIdOf', users, [1]],
      ['chat.users.unread', users, 'ada'],
      ['chat.users.createToken', users, ada],
      ['chat.users.endSessions', users, 'ada'],
      ['chat.users.deactivate', users, { userId: at.people.bob.id }],
      ['chat.users.reactivate', users, { userId: at.people.dora.id }],
      ['chat.users.erase', users, { userId: at.people.bob.id }],
      ['chat.channels.ensure', channels, channel],
      ['chat.channels.find', channels, 'never'],
      ['chat.invitations.find', invitations, 'token'],
      ['chat.invitations.accept', invitations, { token: 'x', ...ada }],
      ['chat.organizations.import', organizations, []],
      ['chat.organizations.delete', organizations, organization()],
    ]

    for (const [name, owner, ...values] of calls) {
      const method: unknown = Reflect.get(owner, name.split('.').at(-1) ?? '')
      const refused = async () =>
        Reflect.apply(method as AnyMethod, owner, [...values, { transaction: {} }])
      const error = { name: 'TypeError', message: new RegExp(`^${name}: .*transaction, only `) }
      await assert.rejects(refused, error, name)
      const noOptions = async () => Reflect.apply(method as AnyMethod, owner, [...values, 'trx'])
      await assert.rejects(noOptions, { name: 'TypeError' }, name)
    }
    await assert.rejects(
      chat.channels.ensure({ ...channel, private: true } as typeof channel),
      /^TypeError: chat\.channels\.ensure: there is no option private, only externalId/,
    )
    const created = { name: 'Other', presets: 'support', owner: { email: 'x', fullName: 'X' } }
    for (const method of ['create', 'ensure'] as const) {
      const { organizations } = chat
      const unknown = organizations[method](created as never)
      await assert.rejects(unknown, /TypeError: .*there is no option presets, only/)
      const withoutOwner = organizations[method]({ name: 'Other' } as never)
      await assert.rejects(withoutOwner, /TypeError: .*owner must be an object/)
    }
    const reference = { organisation: 'x' } as object
    assert.throws(() => chat.asSystem(reference), /there is no option organisation, only org/)
    const lines = users.export({ userId: at.people.bob.id }, { files: true } as object)
    await assert.rejects(async () => {
      for await (const _ of lines) assert.fail('nothing is exported')
    }, /^TypeError: chat\.users\.export: there is no option files, only organization, fileContents/)

    const { body } = await at.people.alice.get('/messages', {
      anchor: 'newest',
      num_before: 5,
      num_after: 0,
      narrow: [{ operator: 'search', operand: 'never' }],
    })
    assert.deepEqual(body.messages, [])
    const here = { organization: organization() }
    assert.equal(await users.find('ada', here), undefined)
    assert.equal(await channels.find('never', here), undefined)
    assert.equal((await at.people.bob.get('/users/me')).status, 200)
  })

  it('are corrected if an event or a hook has a similar one', () => {
    const { chat } = at.host
    const on = (name: string) => chat.on(name as 'message', () => {})
    const before = (name: string) => chat.before(name as 'sendMessage', () => {})

    // @ts-expect-error -- misspelt
    assert.throws(() => chat.on('mesage', () => {}), {
      name: 'TypeError',
      message: "chat.on: there is no event 'mesage'. Did you mean 'message'?",
    })
    assert.throws(() => on('reaction/added'), /Did you mean 'reaction\/add'\?$/)
    assert.throws(() => on('order'), /there is no event 'order', only alert_words, /)
    assert.throws(
      () => chat.consume('billing', { types: ['Message' as 'message'] }, () => {}),
      /there is no event 'Message'\. Did you mean 'message'\?$/,
    )
    assert.throws(() => before('sendMesage'), /there is no 'sendMesage'\. Did you mean 'sendMe/)
    assert.throws(() => before('order'), /there is no 'order', only the operations of chat\.as/)
  })
})
