import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import type { Answer, Client } from '../support/client.js'
import { ComparedMemory } from '../support/compared-memory.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import type { HostCase } from '../support/host.js'
import { pngOf, sendFiles } from '../support/uploads.js'

interface Fields {
  /** With a value of Alice and Bob. */
  readonly text: number
  /** With the value `a` of Alice. */
  readonly choice: number
}

/** The id of the group that was made last. */
const groupOf = async (by: Client): Promise<number> =>
  (await by.get('/user_groups')).body.user_groups.at(-1)!.id

const adaAddress = 'ada@product.example'
const adaNamed = (fullName: string) => ({ externalId: '7', email: adaAddress, fullName })

/** Changes of what servers keep in memory, one after the other, each by a request of its own. */
const changes: Readonly<Record<string, (at: HostCase, fields: Fields) => Promise<Answer>>> = {
  'a name': ({ people: { olga, alice } }) =>
    olga.patch(`/users/${alice.id}`, { full_name: 'Alice Renamed' }),
  'a role': ({ people: { olga, bob } }) => olga.patch(`/users/${bob.id}`, { role: 300 }),
  'an address': ({ people: { olga, bob } }) =>
    olga.patch(`/users/${bob.id}`, { new_email: `new-${bob.id}@example.org` }),
  'who sees an address': ({ people: { alice } }) =>
    alice.patch('/settings', { email_address_visibility: 3 }),
  'a time zone': ({ people: { alice } }) => alice.patch('/settings', { timezone: 'Asia/Tokyo' }),
  'a picture': ({ people: { alice } }) => alice.delete('/users/me/avatar'),
  'a bot': ({ people: { alice, bot } }) => alice.patch(`/bots/${bot.id}`, { full_name: 'A name' }),
  'an own profile value': ({ people: { alice } }, { text }) =>
    alice.patch('/users/me/profile_data', { data: [{ id: text, value: 'new' }] }),
  'a first profile value': ({ people: { gus } }, { text }) =>
    gus.patch('/users/me/profile_data', { data: [{ id: text, value: 'first' }] }),
  'a removed profile value': ({ people: { alice } }, { text }) =>
    alice.delete('/users/me/profile_data', { data: [text] }),
  'the profile value of another user': ({ people: { olga, bob } }, { text }) =>
    olga.patch(`/users/${bob.id}`, { profile_data: [{ id: text, value: 'by Olga' }] }),
  'the choices of a profile field': ({ people: { olga } }, { choice }) =>
    olga.patch(`/realm/profile_fields/${choice}`, {
      field_data: JSON.stringify({ b: { text: 'B', order: '1' } }),
    }),
  'a deleted profile field': ({ people: { olga } }, { text }) =>
    olga.delete(`/realm/profile_fields/${text}`),
  'the name of a channel': ({ people: { olga }, channels: { general } }) =>
    olga.patch(`/streams/${general}`, { new_name: 'renamed' }),
  'the name of a channel that becomes private': ({ people: { olga }, channels: { general } }) =>
    olga.patch(`/streams/${general}`, {
      new_name: 'hidden',
      is_private: true,
      is_default_stream: false,
    }),
  'a permission': ({ people: { olga, alice }, channels: { design } }) =>
    olga.patch(`/streams/${design}`, {
      can_send_message_group: { new: { direct_members: [alice.id], direct_subgroups: [] } },
    }),
  'a new group': ({ people: { alice } }) =>
    alice.post('/user_groups/create', {
      name: 'crew',
      description: '',
      members: JSON.stringify([alice.id]),
    }),
  'the members of a group': async ({ people: { alice, bob } }) =>
    alice.post(`/user_groups/${await groupOf(alice)}/members`, { add: [bob.id] }),
  'the name of a group': async ({ people: { alice } }) =>
    alice.patch(`/user_groups/${await groupOf(alice)}`, { name: 'the crew' }),
  'a domain': ({ people: { olga } }) =>
    olga.post('/realm/domains', { domain: 'new.example', allow_subdomains: false }),
  'a folder': ({ people: { olga } }) =>
    olga.post('/channel_folders/create', { name: 'Folder', description: '' }),
  'a playground': ({ people: { olga } }) =>
    olga.post('/realm/playgrounds', {
      name: 'Play',
      pygments_language: 'Python',
      url_template: 'https://play.example/{code}',
    }),
  'custom emoji': ({ people: { olga } }) =>
    sendFiles(olga, '/realm/emoji/blob', [{ name: 'blob.png', bytes: pngOf(8, 8) }]),
  'a deactivated user': ({ people: { olga, bob } }) => olga.delete(`/users/${bob.id}`),
}

reportSkippedColumns()
for (const database of databaseColumns()) {
  describe(`what servers keep in memory (${database.name})`, () => {
    const memory = new ComparedMemory(database)
    let at: HostCase
    let fields: Fields
    let userIds: readonly number[]
    before(async () => {
      await memory.start()
      const { host } = memory
      const cast = await host.organization()
      at = { ...cast, host, clock: host.clock }
      const { olga, alice, bob, gus } = cast.people
      const add = async (name: string, more: object): Promise<number> =>
        (await olga.post('/realm/profile_fields', { name, ...more })).body.id
      const choices = { a: { text: 'A', order: '1' }, b: { text: 'B', order: '2' } }
      fields = {
        text: await add('Text', { field_type: 1 }),
        choice: await add('Choice', { field_type: 3, field_data: JSON.stringify(choices) }),
      }
      const values = [
        { id: fields.text, value: '*old*' },
        { id: fields.choice, value: 'a' },
      ]
      for (const user of [alice, bob]) await user.patch('/users/me/profile_data', { data: values })
      await alice.say(cast.channels.general, 'news', 'to all')
      await bob.say(cast.channels.general, 'news', 'an answer')
      await alice.whisper([gus], 'to one')
      await memory.host.chat.users.sync([adaNamed('Ada Old')], { organization: at.subdomain })
      const { body } = await olga.get('/users')
      const ada = body.members.find(({ email }: { email: string }) => email === adaAddress)
      userIds = [alice.id, bob.id, gus.id, cast.people.bot.id, ada!.user_id]
      await compare()
    })
    after(() => memory.stop())

    const compare = (): Promise<void> => memory.compare([at.people.alice, at.people.gus], userIds)

    for (const [name, change] of Object.entries(changes)) {
      it(`is never that from before a change of ${name}`, async () => {
        const { status, text } = await change(at, fields)

        assert.equal(status, 200, text)
        await compare()
      })
    }

    it('is never that from before the application has changed a user, or erased one', async () => {
      const { users } = memory.host.chat
      const organization = at.subdomain
      await users.sync([adaNamed('Ada New')], { organization })
      await compare()
      await users.erase({ userId: at.people.bob.id }, { organization })
      await compare()
    })
  })
}
