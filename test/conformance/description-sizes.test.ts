import assert from 'node:assert/strict'
import { it } from 'node:test'

import { escapeHtml } from '../../packages/core/src/kernel/html.js'
import type { Answer, Client } from '../support/client.js'
import { everyHost, type HostCase } from '../support/host.js'
import { createdField } from '../support/profile-fields.js'

const limit = 30_000
const maxHtmlBytes = 8192
/** Each emoji has more than 80 bytes of HTML. */
const longest = '👍'.repeat(1024)

let made = 0
const freshName = (): string => `described ${(made += 1)}`

/** Sets one more description in the list that it belongs to. */
type Describe = (at: HostCase, description: string) => Promise<Answer>

const createChannel: Describe = ({ people }, description) =>
  people.olga.post('/channels/create', { name: freshName(), description, subscribers: [] })
const createFolder: Describe = ({ people }, description) =>
  people.olga.post('/channel_folders/create', { name: freshName(), description })
const createGroup: Describe = ({ people }, description) =>
  people.olga.post('/user_groups/create', { name: freshName(), description, members: [] })

/** Creates an item without a description, and changes it. */
function change(create: Describe, id: string, path: string): Describe {
  return async (at, description) => {
    const { body } = await create(at, '')
    return at.people.olga.patch(`${path}/${body[id]}`, { description })
  }
}

/** The operations that set descriptions of which there may be many, as the API describes them. */
const operations: Readonly<Record<string, Describe>> = {
  'post /users/me/subscriptions': ({ people }, description) =>
    people.olga.post('/users/me/subscriptions', {
      subscriptions: [{ name: freshName(), description }],
    }),
  'patch /users/me/subscriptions': ({ people }, description) =>
    people.olga.patch('/users/me/subscriptions', { add: [{ name: freshName(), description }] }),
  'post /channels/create': createChannel,
  'patch /streams/{stream_id}': change(createChannel, 'id', '/streams'),
  'post /channel_folders/create': createFolder,
  'patch /channel_folders/{channel_folder_id}': change(
    createFolder,
    'channel_folder_id',
    '/channel_folders',
  ),
  'post /user_groups/create': createGroup,
  'patch /user_groups/{user_group_id}': change(createGroup, 'group_id', '/user_groups'),
}

/** An organization has one description, and that of a report is in a message. */
const others = ['patch /realm', 'post /messages/{message_id}/report']

/** Whether a property of the schema, at any depth, is a description. */
function hasDescription(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  if (Array.isArray(schema)) return schema.some(hasDescription)
  return Object.entries(schema).some(
    ([key, value]) =>
      (key === 'properties' && 'description' in (value as object)) || hasDescription(value),
  )
}

everyHost(
  'sizes of descriptions',
  (at) => {
    for (const [name, describe] of Object.entries(operations)) {
      it(`are limited in all: ${name}`, async () => {
        const answers: Answer[] = []
        while (answers.length < 10 && answers.at(-1)?.status !== 400) {
          answers.push(await describe(at, longest))
        }

        const last = answers.at(-1)
        assert.equal(last?.status, 400, last?.text)
        assert.equal(
          last.body.msg,
          `Too many bytes in the descriptions of channels, channel folders or user groups (limit: ${limit})`,
        )
        assert.equal((await describe(at, '')).status, 200)
      })
    }
  },
  {},
  { quotas: { descriptionBytesPerList: limit } },
)

everyHost('the HTML of descriptions', (at) => {
  const htmlOf: Readonly<Record<string, (client: Client) => Promise<readonly string[]>>> = {
    channels: async (client) =>
      (await client.get('/streams')).body.streams.map(renderedDescription),
    'channel folders': async (client) =>
      (await client.get('/channel_folders')).body.channel_folders.map(renderedDescription),
  }
  const renderedDescription = (object: { rendered_description: string }): string =>
    object.rendered_description

  it('is the text itself if it would be long', async () => {
    const text = `${'👍'.repeat(1000)}\n<b>`
    for (const describe of Object.values(operations)) {
      const answer = await describe(at, text)
      assert.equal(answer.status, 200, answer.text)
    }

    for (const [name, list] of Object.entries(htmlOf)) {
      const all = await list(at.people.olga)
      const long = all.filter((html) => html.includes('👍'))
      assert.ok(long.length > 1, name)
      for (const html of long) {
        assert.match(html, /^<p>(👍)+(<br>| )&#60;b&#62;<\/p>$/u)
        assert.ok(Buffer.byteLength(html) <= maxHtmlBytes)
      }
    }
  })

  it('is short even if every character is escaped', async () => {
    const text = `${'👍'.repeat(200)}${'&'.repeat(824)}`
    await createFolder(at, text)

    const [html] = (await htmlOf['channel folders']?.(at.people.olga))?.slice(-1) ?? []
    assert.equal(html, `<p>${escapeHtml(text)}</p>`)
    assert.ok(Buffer.byteLength(html) <= maxHtmlBytes)
  })

  it('is limited in values of profiles and in the description of the organization', async () => {
    const { olga, alice } = at.people
    const id = await createdField(olga, { name: 'About', field_type: 2 })
    const text = '👍'.repeat(500)
    await alice.patch('/users/me/profile_data', { data: [{ id, value: text }] })
    await olga.patch('/realm', { description: text })

    const { body } = await alice.get('/users/me', { include_custom_profile_fields: true })
    const settings = await at.nobody.get('/server_settings')

    assert.equal(body.profile_data[id]!.rendered_value, `<p>${text}</p>`)
    assert.equal(settings.body.realm_description, `<p>${text}</p>`)
  })

  it('is limited by operations that are all known here', async () => {
    const { body } = await at.nobody.get('/openapi.json')
    const found: string[] = []
    for (const [path, methods] of Object.entries(body.paths as Record<string, object>)) {
      for (const [method, operation] of Object.entries(methods)) {
        if (!hasDescription(operation.requestBody)) continue
        found.push(`${method} ${path.replace('/api/v1', '')}`)
      }
    }
    assert.deepEqual(found.sort(), [...Object.keys(operations), ...others].sort())
  })
})

everyHost(
  'sizes of profiles',
  (at) => {
    it('are limited', async () => {
      const { olga, alice } = at.people
      const ids = [
        await createdField(olga, { name: 'About', field_type: 2 }),
        await createdField(olga, { name: 'More', field_type: 2 }),
      ]
      const set = (index: number, value: string): Promise<Answer> =>
        alice.patch('/users/me/profile_data', { data: [{ id: ids[index], value }] })

      const first = await set(0, 'x'.repeat(300))
      const second = await set(1, 'x'.repeat(300))

      assert.equal(first.status, 200, first.text)
      assert.equal(second.status, 400, second.text)
      assert.equal(second.body.msg, 'Too many bytes in the profile of a user (limit: 1000)')
      assert.equal((await set(0, '')).status, 200)
      assert.equal((await set(1, 'x'.repeat(300))).status, 200)
    })
  },
  {},
  { quotas: { profileBytesPerUser: 1000 } },
)
