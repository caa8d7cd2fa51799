import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyLoaded, type Row } from '../support/loaded-organization.js'

everyLoaded('the channels and the organization', (at) => {
  const { id, file, at: seconds } = at

  it('have channels and subscriptions', () => {
    const deck = at.registered['subscriptions'].find((row: Row) => row['stream_id'] === id.deck)
    const left = at.registered['unsubscribed'].map((row: Row) => row['stream_id'])

    assert.deepEqual(
      [deck.name, deck.rendered_description, deck.first_message_id, deck.topics_policy],
      ['Deck', '<p>Up <em>here</em></p>', id.first, 'allow_empty_topic'],
    )
    assert.deepEqual(
      [deck.can_send_message_group, deck.can_remove_subscribers_group],
      [id.crew, id.mates],
    )
    assert.deepEqual(deck.can_administer_channel_group, {
      direct_members: [id.olga],
      direct_subgroups: [],
    })
    assert.deepEqual(
      [deck.color, deck.is_muted, deck.pin_to_top, deck.push_notifications],
      ['#123456', true, true, false],
    )
    assert.equal(deck.desktop_notifications, null)
    assert.deepEqual(left, [id.bridge])
    assert.deepEqual(at.registered['realm_default_streams'], [id.deck])
  })

  it('have domains, and folders of channels', () => {
    const deck = at.registered['subscriptions'].find((row: Row) => row['stream_id'] === id.deck)

    assert.deepEqual(at.registered['realm_domains'], [
      { domain: 'rich.example', allow_subdomains: true },
      { domain: 'other.example', allow_subdomains: false },
    ])
    assert.equal(deck.folder_id, id.afloat)
    assert.deepEqual(at.registered['channel_folders'], [
      {
        id: id.ashore,
        name: 'Ashore',
        description: '',
        rendered_description: '',
        order: 0,
        creator_id: null,
        date_created: seconds,
        is_archived: true,
      },
      {
        id: id.afloat,
        name: 'Afloat',
        description: 'At *sea*',
        rendered_description: '<p>At <em>sea</em></p>',
        order: 1,
        creator_id: id.olga,
        date_created: seconds + 6,
        is_archived: false,
      },
    ])
  })

  it('have emoji, linkifiers and playgrounds', async () => {
    const { emoji } = (await at.people.bob.get('/realm/emoji')).body
    const image = await at.people.bob.get(emoji[id.shout]!.source_url.replace(/^\/api\/v1/, ''))

    assert.deepEqual(
      Object.values(emoji as Record<string, Row>).map((row) => [
        row['id'],
        row['name'],
        row['author_id'],
        row['deactivated'],
      ]),
      [
        [String(id.shout), 'shout', id.alice, false],
        [String(id.old), 'old', id.bob, true],
      ],
    )
    assert.deepEqual([image.status, image.headers['content-type']], [200, 'image/png'])
    assert.deepEqual(at.registered['realm_linkifiers'], file.linkifiers)
    assert.deepEqual(at.registered['realm_playgrounds'], file.playgrounds)
  })
})
