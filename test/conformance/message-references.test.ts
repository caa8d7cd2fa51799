import assert from 'node:assert/strict'
import { it } from 'node:test'

import { makeChannel } from '../support/channels.js'
import type { Client } from '../support/client.js'
import { everyHost } from '../support/host.js'
import { pixel } from '../support/rich-organization.js'
import { statementsOf } from '../support/statements.js'

const rendered = async (author: Client, content: string): Promise<string> => {
  const { body, status, text } = await author.post('/messages/render', { content })
  assert.equal(status, 200, text)
  return body.rendered
}

everyHost(
  'render-message',
  (at) => {
    it('mentions only users whom the author has access to', async () => {
      const { alice, gus, carol } = at.people
      await gus.delete('/users/me/subscriptions', { subscriptions: ['general'] })
      await makeChannel(at.people.olga, 'shared with a guest', { subscribers: [gus.id, carol.id] })
      const mention = ({ id }: Client, name: string): string =>
        `<p><span class="user-mention" data-user-id="${id}">@${name}</span></p>`

      assert.equal(await rendered(gus, '@**Alice Test**'), '<p>@<strong>Alice Test</strong></p>')
      assert.equal(
        await rendered(gus, `@**|${alice.id}**`),
        `<p>@<strong>|${alice.id}</strong></p>`,
      )
      assert.equal(await rendered(gus, '@**Carol Test**'), mention(carol, 'Carol Test'))
      assert.equal(await rendered(carol, '@**Alice Test**'), mention(alice, 'Alice Test'))
    })
  },
  { settings: { can_access_all_users_group: 'role:members' } },
)

everyHost(
  'render-message',
  (at) => {
    it('mentions users ignoring case, and deactivated users silently', async () => {
      const { alice, bob, dora } = at.people

      assert.equal(
        await rendered(alice, `@**bOB tEST** @**|${bob.id}** @**Dora Test** @**Nobody Test**`),
        `<p><span class="user-mention" data-user-id="${bob.id}">@Bob Test</span> ` +
          `<span class="user-mention" data-user-id="${bob.id}">@Bob Test</span> ` +
          `<span class="user-mention silent" data-user-id="${dora.id}">Dora Test</span> ` +
          '@<strong>Nobody Test</strong></p>',
      )
    })

    it('mentions deactivated groups silently, and system groups by their display names', async () => {
      const { alice, olga } = at.people
      const { user_groups } = (await olga.get('/user_groups')).body
      const groupId = user_groups.find(({ name }) => name === 'night crew')!.id
      const moderators = user_groups.find(({ name }) => name === 'role:moderators')
      await olga.post(`/user_groups/${groupId}/deactivate`)

      assert.equal(
        await rendered(alice, '@*night crew* @_*role:moderators* @*no crew*'),
        `<p><span class="user-group-mention silent" data-user-group-id="${groupId}">night crew</span> ` +
          `<span class="user-group-mention silent" data-user-group-id="${moderators!.id}">Moderators</span> ` +
          '@<em>no crew</em></p>',
      )
    })

    it('links to the latest message of a topic that the author can see', async () => {
      const { alice, carol, adam } = at.people
      const channel = await makeChannel(alice, 'hidden past', {
        invite_only: true,
        history_public_to_subscribers: false,
        subscribers: [alice.id],
      })
      const before = await alice.say(channel, 'Beds', 'before she came')
      const link = (path: string): string =>
        `<p><a class="stream-topic" data-stream-id="${channel}" ` +
        `href="/#narrow/channel/${channel}-hidden-past/topic/beds${path}">#hidden past &gt; beds</a></p>`
      await alice.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'hidden past' }],
        principals: [carol.id],
      })
      const source = '#**hidden past>beds**'

      assert.equal(await rendered(alice, source), link(`/with/${before}`))
      assert.equal(await rendered(carol, source), link(''))
      assert.equal(await rendered(adam, source), '<p>#<strong>hidden past&gt;beds</strong></p>')
      const after = await alice.say(channel, 'beds', 'after she came')
      assert.equal(await rendered(carol, source), link(`/with/${after}`))
    })

    it('renders a custom emoji until it is deactivated', async () => {
      const { alice, olga } = at.people
      const { realm_emoji } = (await alice.post('/register', { event_types: ['realm_emoji'] })).body
      const [rhubarb] = Object.values(realm_emoji) as { source_url: string }[]

      assert.equal(
        await rendered(alice, ':rhubarb:'),
        `<p><img alt=":rhubarb:" class="emoji" src="${rhubarb?.source_url}" title="rhubarb"></p>`,
      )
      await olga.delete('/realm/emoji/rhubarb')
      assert.equal(await rendered(alice, ':rhubarb:'), '<p>:rhubarb:</p>')
    })

    it('queries each kind of reference once, for any number of references', async () => {
      const { alice } = at.people
      const referencesIn = (count: number): string =>
        Array.from(
          { length: count },
          (_, index) =>
            `@**Bob Test${index || ''}** @*crew${index}* #**general>t${index}** :e${index}: ` +
            `[f](/user_uploads/1/ab/${index}.txt)`,
        ).join(' ')

      await rendered(alice, referencesIn(1))
      const few = await statementsOf(at.host, () => rendered(alice, referencesIn(1)))
      const many = await statementsOf(at.host, () => rendered(alice, referencesIn(100)))

      assert.ok(few.length > 0)
      assert.equal(many.length, few.length)
    })

    it('renders a thousand links to topics', async () => {
      const { alice } = at.people
      const short = await makeChannel(alice, 'g')
      const topics = Array.from({ length: 1_000 }, (_, index) => index.toString(36))
      const source = topics.map((topic) => `#**g>${topic}**`).join('/')

      const html = await rendered(alice, source)

      assert.equal(html.split(`data-stream-id="${short}"`).length - 1, topics.length)
    })
  },
  {
    more: ({ people, base }) => ({
      groups: [{ id: base + 60, name: 'night crew', members: [people.bob] }],
      custom_emoji: [{ id: base + 61, name: 'rhubarb', image: pixel, author_id: people.alice }],
    }),
  },
  // Its own server: others do background work when a test sets their clock forward.
  {},
)
