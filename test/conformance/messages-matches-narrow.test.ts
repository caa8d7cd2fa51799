import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyHost } from '../support/host.js'

everyHost('check-messages-match-narrow', (at) => {
  it('returns the rendered contents of matching messages', async () => {
    const { alice, bob } = at.people
    const logo = await alice.say(at.channels.design, 'Logo & more', 'Is it **round**?')
    const paint = await alice.say(at.channels.design, 'paint', 'Blue')
    const msg_ids = [paint, logo, at.unknownId]

    const byTopic = await bob.get('/messages/matches_narrow', {
      msg_ids,
      narrow: [['topic', 'logo & more']],
    })
    const bySearch = await bob.get('/messages/matches_narrow', {
      msg_ids,
      narrow: [{ operator: 'search', operand: 'round logo' }],
    })

    assert.deepEqual(byTopic.body, {
      result: 'success',
      msg: '',
      messages: {
        [logo]: {
          match_content: '<p>Is it <strong>round</strong>?</p>',
          match_subject: 'Logo &amp; more',
        },
      },
    })
    assert.deepEqual(bySearch.body.messages, {
      [logo]: {
        match_content: '<p>Is it <strong><span class="highlight">round</span></strong>?</p>',
        match_subject: '<span class="highlight">Logo</span> &amp; more',
      },
    })
  })

  it('matches only messages that the user has received', async () => {
    const { alice, carol } = at.people
    const id = await alice.say(at.channels.design, 'logo', 'Hello')

    const { body } = await carol.get('/messages/matches_narrow', {
      msg_ids: [id],
      narrow: [['channel', 'design']],
    })

    assert.deepEqual(body.messages, {})
  })

  it('refuses invalid narrows, and terms for the conversation of a message', async () => {
    const { bob } = at.people
    const match = (params: object) => bob.get('/messages/matches_narrow', { ...params })

    assert.equal((await match({ narrow: [] })).body.msg, "Missing 'msg_ids' argument")
    assert.equal((await match({ msg_ids: [1] })).body.msg, "Missing 'narrow' argument")
    const unknown = (await match({ msg_ids: [1], narrow: [['with', '1']] })).body
    assert.deepEqual([unknown.code, unknown.desc], ['BAD_NARROW', 'unknown operator with'])
    assert.equal(
      (await match({ msg_ids: [1], narrow: ['x'] })).body.msg,
      'Invalid narrow[0]: Value error, dict or list required',
    )
  })
})
