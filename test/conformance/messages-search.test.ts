import assert from 'node:assert/strict'
import { it } from 'node:test'

import { makeChannel } from '../support/channels.js'
import type { Client } from '../support/client.js'
import { everyHost } from '../support/host.js'

const searching = async (reader: Client, operand: string, more: readonly object[] = []) => {
  const { body, status, text } = await reader.get('/messages', {
    anchor: 'newest',
    num_before: 100,
    narrow: [{ operator: 'search', operand }, ...more],
  })
  assert.equal(status, 200, text)
  return (body.messages as { id: number }[]).map(({ id }) => id)
}

everyHost('get-messages', (at) => {
  it('finds all words by their stems in content and topic, ignoring case', async () => {
    const { alice, bob } = at.people
    const { general } = at.channels
    const meeting = await alice.say(general, 'Garden Meetings', 'The seedlings are growing')
    const grown = await alice.say(general, 'beds', 'A **GROWING** seedling, overgrown')

    assert.deepEqual(await searching(bob, 'seedling grows'), [meeting, grown])
    assert.deepEqual(await searching(bob, 'Meeting SEEDLINGS'), [meeting])
    assert.deepEqual(await searching(bob, 'overgrow seedling'), [])
    assert.deepEqual(await searching(bob, 'seedling', [{ operator: 'topic', operand: 'beds' }]), [
      grown,
    ])
    assert.deepEqual(
      await searching(bob, 'seedling', [{ operator: 'search', operand: 'meeting', negated: true }]),
      [grown],
    )
  })

  it('ignores accents, except in phrases, and finds emoji', async () => {
    const { alice, bob } = at.people
    const { general } = at.channels
    const accented = await alice.say(general, 'Müller', 'Two cafés in Straße 7')
    const plain = await alice.say(general, 'muller', 'a cafe in Strasse 7')
    const party = await alice.say(general, 'emoji', 'Done 🎉')
    const named = await alice.say(general, 'emoji', 'Done :party_popper:')
    const waving = await alice.say(general, 'emoji', 'Done 👋🏽 #️⃣')

    for (const search of ['cafe strasse', 'café muller straße', 'MÜLLER CAFÉS', 'müll']) {
      assert.deepEqual(await searching(bob, search), [accented, plain], search)
    }
    assert.deepEqual(await searching(bob, '"cafés in"'), [accented])
    assert.deepEqual(await searching(bob, '"cafe in"'), [plain])
    for (const search of ['🎉', ':tada:', 'done :party_popper:']) {
      assert.deepEqual(await searching(bob, search), [party, named], search)
    }
    assert.deepEqual(await searching(bob, '👋'), [waving])
    assert.deepEqual(await searching(bob, ':wave: #️⃣'), [waving])
    const { body } = await bob.get('/messages', {
      anchor: 'newest',
      num_before: 2,
      narrow: [{ operator: 'search', operand: 'muller cafe ' }],
    })
    const mark = (text: string) => `<span class="highlight">${text}</span>`
    assert.equal(body.messages[0]!.match_subject, mark('Müller'))
    assert.equal(body.messages[0]!.match_content, `<p>Two ${mark('cafés')} in Straße 7</p>`)
  })

  it('finds neither parts of words nor stop words', async () => {
    const { alice, bob } = at.people
    await alice.say(at.channels.general, 'parts', 'Watermelons and the others')

    assert.deepEqual(await searching(bob, 'melon'), [])
    assert.deepEqual(await searching(bob, 'water others'), [])
    assert.deepEqual(await searching(bob, 'and the'), [])
    assert.deepEqual(await searching(bob, '"and the"'), [])
  })

  it('finds words by their beginning with the last word, and highlights them', async () => {
    const { alice, bob } = at.people
    const { general } = at.channels
    const id = await alice.say(general, 'Runners up', 'Keep **running**, runabout!')
    const other = await alice.say(general, 'beginnings', 'Keep a прогулка')

    assert.deepEqual(await searching(bob, 'keep runn'), [id])
    assert.deepEqual(await searching(bob, 'runab'), [id])
    assert.deepEqual(await searching(bob, 'runab keep'), [])
    assert.deepEqual(await searching(bob, '"runab"'), [])
    assert.deepEqual(await searching(bob, 'keep ru'), [], 'two letters are not enough')
    assert.deepEqual(await searching(bob, 'keep пр'), [other])
    const negated = [{ operator: 'search', operand: 'runn', negated: true }]
    assert.deepEqual(await searching(bob, 'keep', negated), [other])
    const { body } = await bob.get('/messages', {
      anchor: 'newest',
      num_before: 1,
      narrow: [{ operator: 'search', operand: 'keep runn' }],
    })
    const mark = (text: string) => `<span class="highlight">${text}</span>`
    assert.equal(body.messages[0]!.match_subject, `${mark('Runners')} up`)
    assert.equal(
      body.messages[0]!.match_content,
      `<p>${mark('Keep')} <strong>${mark('running')}</strong>, runabout!</p>`,
    )
  })

  it('finds letters of scripts without spaces where they are adjacent', async () => {
    const { alice, bob } = at.people
    const { general } = at.channels
    const together = await alice.say(general, 'letters', '明日は大阪城に行く')
    const apart = await alice.say(general, 'letters', '大きい阪')

    assert.deepEqual(await searching(bob, '大阪'), [together])
    assert.deepEqual(await searching(bob, '大阪城 行'), [together])
    assert.deepEqual(await searching(bob, '大 阪'), [together, apart])
    assert.deepEqual(await searching(bob, '阪大'), [])
  })

  it('combines several search terms', async () => {
    const { alice, bob } = at.people
    const id = await alice.say(at.channels.general, 'several', 'A pomegranate for the others')
    const also = [{ operator: 'search', operand: 'pomegranate' }]

    assert.deepEqual(await searching(bob, 'the', also), [id])
    assert.deepEqual(await searching(bob, 'orange', also), [])
  })

  it('finds rendered text, but neither URLs nor markup', async () => {
    const { alice, bob } = at.people
    const id = await alice.say(
      at.channels.general,
      'seen',
      '[handbook](https://hidden.example/zucchini) :octopus: `inlined` @**Bob Test**',
    )

    for (const visible of ['handbook', 'octopus', 'inlined', 'bob handbook']) {
      assert.deepEqual(await searching(bob, visible), [id], visible)
    }
    for (const invisible of ['zucchini', 'codehilite', 'span handbook']) {
      assert.deepEqual(await searching(bob, invisible), [], invisible)
    }
  })

  it('finds phrases as they are written in the source or the topic', async () => {
    const { alice, bob } = at.people
    const { general } = at.channels
    const source = await alice.say(general, 'quotes', 'fresh **red** apples')
    const titled = await alice.say(general, 'Red apples', 'here')

    assert.deepEqual(await searching(bob, '"red apples"'), [titled])
    assert.deepEqual(await searching(bob, '"RED** APPLES"'), [source])
    assert.deepEqual(await searching(bob, '"ed apples"'), [], 'the words must match, too')
  })

  it('finds no messages that the reader cannot see', async () => {
    const { alice, bob, carol } = at.people
    const id = await alice.say(at.channels.secret, 'plans', 'an unguessable aubergine')
    const between = await alice.whisper([bob], 'unguessable too')

    assert.deepEqual(await searching(alice, 'unguessable'), [id, between])
    assert.deepEqual(await searching(bob, 'unguessable'), [between])
    assert.deepEqual(await searching(carol, 'unguessable'), [])
    const everyPublic = [{ operator: 'channels', operand: 'public' }]
    assert.deepEqual(await searching(carol, 'unguessable', everyPublic), [])
  })

  it('finds messages that the reader has not received if the narrow includes their channels', async () => {
    const { alice, carol } = at.people
    const id = await alice.say(at.channels.design, 'shared', 'a kohlrabi')

    assert.deepEqual(await searching(carol, 'kohlrabi'), [])
    assert.deepEqual(
      await searching(carol, 'kohlrabi', [{ operator: 'channels', operand: 'public' }]),
      [id],
    )
    assert.deepEqual(
      await searching(carol, 'kohlrabi', [{ operator: 'channel', operand: 'design' }]),
      [id],
    )
  })

  it('finds messages of applications and system bots', async () => {
    const { alice } = at.people
    const channel = await makeChannel(alice, 'chicory', {
      subscribers: [alice.id],
      announce: false,
    })
    await alice.patch(`/streams/${channel}`, { description: 'about radicchio' })

    const found = await searching(alice, 'radicchio')

    assert.equal(found.length, 1)
  })

  it('accepts 200 words', async () => {
    const { alice, bob } = at.people
    const text = Array.from({ length: 199 }, (_, index) => `w${index}`).join(' ')
    const id = await alice.say(at.channels.general, 'words', text)

    assert.deepEqual(await searching(bob, text), [id])
    assert.deepEqual(await searching(bob, `${text} w199`), [])
  })
})

everyHost('update-message', (at) => {
  it('makes the new content searchable, and no longer the old one', async () => {
    const { alice, bob } = at.people
    const id = await alice.say(at.channels.general, 'fennel', 'an artichoke and fennel')

    await alice.patch(`/messages/${id}`, { content: 'a parsnip' })

    assert.deepEqual(await searching(bob, 'artichoke'), [])
    assert.deepEqual(await searching(bob, 'parsnip fennel'), [id])
  })

  it('makes moved messages searchable by their new topic, and no longer by the old one', async () => {
    const { alice, bob } = at.people
    const { general } = at.channels
    const ids = [
      await alice.say(general, 'old radish', 'about chard'),
      await alice.say(general, 'old radish', 'about radish'),
    ]

    const moved = await alice.patch(`/messages/${ids[0]}`, {
      topic: 'old turnip chard',
      propagate_mode: 'change_all',
      send_notification_to_new_thread: false,
    })
    assert.equal(moved.status, 200, moved.text)

    assert.deepEqual(await searching(bob, 'radish'), [ids[1]])
    assert.deepEqual(await searching(bob, 'turnip'), ids)
    assert.deepEqual(await searching(bob, 'chard'), ids)
    assert.deepEqual(await searching(bob, 'old'), ids)
  })

  it('changes content and topic at once for searches, too', async () => {
    const { alice, bob } = at.people
    const id = await alice.say(at.channels.general, 'endive', 'a salsify')

    await alice.patch(`/messages/${id}`, {
      topic: 'cardoon',
      content: 'an endive',
      send_notification_to_new_thread: false,
    })

    assert.deepEqual(await searching(bob, 'salsify'), [])
    assert.deepEqual(await searching(bob, 'endive cardoon'), [id])
  })
})

everyHost('delete-message', (at) => {
  it('removes the words from the search index', async () => {
    const { olga, bob } = at.people
    const id = await olga.say(at.channels.general, 'gone', 'a skirret')
    assert.deepEqual(await searching(bob, 'skirret'), [id])

    await olga.delete(`/messages/${id}`)

    assert.deepEqual(await searching(bob, 'skirret'), [])
  })
})
