import assert from 'node:assert/strict'
import { it } from 'node:test'

import { withoutIds } from '../support/event-feed.js'
import { everyHost } from '../support/host.js'
import { assertRefused } from '../support/refusal.js'

const path = '/users/me/alert_words'
const wordEvents = { event_types: ['alert_words'] }

everyHost('add-alert-words', (at) => {
  it("adds each word once, ignoring case, and sends an event to the user's own clients", async () => {
    const { alice, bob } = at.people
    const [feed, bobFeed] = [await alice.listen(wordEvents), await bob.listen(wordEvents)]

    const first = await alice.post(path, { alert_words: [' Lunch ', '', 'code  review', 'LUNCH'] })
    const second = await alice.post(path, { alert_words: ['lunch', 'beer'] })

    assert.deepEqual(first.body.alert_words, ['code  review', 'Lunch'])
    assert.deepEqual(second.body.alert_words, ['beer', 'code  review', 'Lunch'])
    assert.deepEqual(withoutIds(await feed.drain()), [
      { type: 'alert_words', alert_words: ['code  review', 'Lunch'] },
      { type: 'alert_words', alert_words: ['beer', 'code  review', 'Lunch'] },
    ])
    assert.deepEqual(await bobFeed.drain(), [])
    const { body } = await alice.post('/register', { fetch_event_types: ['alert_words'] })
    assert.deepEqual(body.alert_words, ['beer', 'code  review', 'Lunch'])
  })

  it('flags messages that contain an alert word, only for the user who added it', async () => {
    const { bob, carol, gus } = at.people
    await bob.post(path, { alert_words: ['parrot'] })
    const [bobFeed, gusFeed] = [
      await bob.listen({ event_types: ['message'] }),
      await gus.listen({ event_types: ['message'] }),
    ]

    await carol.say(at.channels.general, 'pets', 'A Parrot! And parrots.')
    await carol.say(at.channels.general, 'pets', 'Only parrots.')

    const flags = (events: readonly Record<string, unknown>[]) => events.map((event) => event.flags)
    assert.deepEqual(flags(await bobFeed.drain()), [['has_alert_word'], []])
    assert.deepEqual(flags(await gusFeed.drain()), [[], []])
  })

  it('sends an event even if no word is new', async () => {
    const { mona } = at.people
    await mona.post(path, { alert_words: ['tea'] })
    const feed = await mona.listen(wordEvents)

    await mona.post(path, { alert_words: ['TEA'] })

    assert.deepEqual(withoutIds(await feed.drain()), [
      { type: 'alert_words', alert_words: ['tea'] },
    ])
  })

  it('keeps all words that several clients add at the same time', async () => {
    const { adam } = at.people

    const answers = await Promise.all(
      ['one', 'two', 'ONE', 'three'].map((word) => adam.post(path, { alert_words: [word, 'all'] })),
    )

    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    const { body } = await adam.get(path)
    assert.deepEqual(
      body.alert_words.map((word: string) => word.toLowerCase()),
      ['all', 'one', 'three', 'two'],
    )
  })

  it('refuses an unpaired surrogate', async () => {
    assertRefused(
      await at.people.mona.post(path, { alert_words: '["\\ud83d half"]' }),
      'Invalid character in alert_words[0], at position 1.',
    )
  })

  it('refuses words of more than 100 characters, non-strings and a missing parameter', async () => {
    const { alice } = at.people

    assertRefused(
      await alice.post(path, { alert_words: ['x'.repeat(101)] }),
      'alert_words[0] is too long (limit: 100 characters)',
    )
    assertRefused(await alice.post(path, { alert_words: [5] }), 'alert_words[0] is not a string')
    assertRefused(await alice.post(path, {}), "Missing 'alert_words' argument", {
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'alert_words',
    })
    assert.equal((await alice.post(path, { alert_words: ['x'.repeat(100)] })).status, 200)
  })

  it('accepts guests and bots, and returns 401 without credentials', async () => {
    const { gus, bot } = at.people
    for (const user of [gus, bot]) {
      assert.equal((await user.post(path, { alert_words: ['me'] })).status, 200)
    }
    assert.equal((await at.nobody.post(path, { alert_words: ['me'] })).status, 401)
  })
})

everyHost('get-alert-words', (at) => {
  it("lists only the user's own words", async () => {
    const { alice, bob } = at.people
    await alice.post(path, { alert_words: ['mine'] })

    assert.deepEqual((await alice.get(path)).body.alert_words, ['mine'])
    assert.deepEqual((await bob.get(path)).body.alert_words, [])
    assert.equal((await at.nobody.get(path)).status, 401)
  })
})

everyHost('remove-alert-words', (at) => {
  it("removes words ignoring case, skips unknown ones and sends an event to the user's own clients", async () => {
    const { alice, bob } = at.people
    await alice.post(path, { alert_words: ['Lunch', 'beer'] })
    const [feed, bobFeed] = [await alice.listen(wordEvents), await bob.listen(wordEvents)]

    const answer = await alice.delete(path, { alert_words: ['lunch ', 'unknown'] })

    assert.deepEqual(answer.body.alert_words, ['beer'])
    assert.deepEqual(withoutIds(await feed.drain()), [
      { type: 'alert_words', alert_words: ['beer'] },
    ])
    assert.deepEqual(await bobFeed.drain(), [])
    await alice.say(at.channels.general, 'x', 'Is it lunch time?')
    assert.equal((await at.nobody.delete(path, { alert_words: ['beer'] })).status, 401)
    assertRefused(
      await alice.delete(path, { alert_words: 'beer' }),
      'alert_words is not valid JSON',
    )
  })
})
