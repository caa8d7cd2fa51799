import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { it } from 'node:test'

import { withoutIds } from '../support/event-feed.js'
import { everyHost } from '../support/host.js'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

everyHost('update-message', (at) => {
  const edit = (person: keyof typeof at.people, id: number, changes: object) =>
    at.people[person].patch(`/messages/${id}`, { ...changes })

  it('changes the content, and sends an event to all users who have the message', async () => {
    const { alice, bob, carol } = at.people
    const id = await alice.say(at.channels.design, 'text', 'Firts')
    const [bobFeed, carolFeed] = [await bob.listen(), await carol.listen()]

    const answer = await edit('alice', id, {
      content: 'First @**Bob Test**',
      prev_content_sha256: sha256('Firts'),
    })

    assert.deepEqual(answer.body, { result: 'success', msg: '', detached_uploads: [] })
    const rendered = `<p>First <span class="user-mention" data-user-id="${bob.id}">@Bob Test</span></p>`
    assert.deepEqual(withoutIds(await bobFeed.drain()), [
      {
        type: 'update_message',
        user_id: alice.id,
        edit_timestamp: at.clock.seconds,
        message_id: id,
        message_ids: [id],
        rendering_only: false,
        stream_id: at.channels.design,
        stream_name: 'design',
        orig_content: 'Firts',
        orig_rendered_content: '<p>Firts</p>',
        content: 'First @**Bob Test**',
        rendered_content: rendered,
        is_me_message: false,
        flags: ['mentioned'],
      },
    ])
    assert.deepEqual(await carolFeed.drain(), [])
  })

  it('returns the edit history with the message, latest change first', async () => {
    const { alice, bob } = at.people
    const id = await alice.say(at.channels.design, 'history', 'One')
    await edit('alice', id, { content: 'Two' })
    await edit('alice', id, { topic: 'histories' })

    const { body } = await bob.get(`/messages/${id}`)

    assert.deepEqual(body.message.edit_history, [
      {
        user_id: alice.id,
        timestamp: at.clock.seconds,
        prev_topic: 'history',
        topic: 'histories',
      },
      {
        user_id: alice.id,
        timestamp: at.clock.seconds,
        prev_content: 'One',
        prev_rendered_content: '<p>One</p>',
      },
    ])
    assert.equal(body.message.last_edit_timestamp, at.clock.seconds)
    assert.equal(body.message.last_moved_timestamp, at.clock.seconds)
  })

  it('changes content and topic at once, as one entry of the history', async () => {
    const id = await at.people.alice.say(at.channels.design, 'both', 'One')

    await edit('alice', id, { content: 'Two', topic: 'together' })

    const { body } = await at.people.bob.get(`/messages/${id}`)
    assert.deepEqual(body.message.edit_history, [
      {
        user_id: at.people.alice.id,
        timestamp: at.clock.seconds,
        prev_topic: 'both',
        topic: 'together',
        prev_content: 'One',
        prev_rendered_content: '<p>One</p>',
      },
    ])
    assert.equal(body.message.content, '<p>Two</p>')
    assert.equal(body.message.subject, 'together')
  })

  it('removes mention flags that the new content no longer causes', async () => {
    const { alice, bob } = at.people
    const id = await alice.say(at.channels.design, 'flags', '@**Bob Test**')
    const before = (await bob.get(`/messages/${id}`)).body.message.flags

    await edit('alice', id, { content: 'nobody' })

    assert.deepEqual(before, ['mentioned'])
    assert.deepEqual((await bob.get(`/messages/${id}`)).body.message.flags, [])
  })

  it('moves the messages that propagate_mode selects, and sends events to the subscribers', async () => {
    const { alice, bob } = at.people
    const ids = [
      await alice.say(at.channels.design, 'old place', '1'),
      await alice.say(at.channels.design, 'Old Place', '2'),
      await alice.say(at.channels.design, 'old place', '3'),
    ] as const
    const feed = await bob.listen()

    // A notification message would be moved along with the next move.
    const withoutNotification = { send_notification_to_new_thread: false }
    await edit('alice', ids[1], {
      topic: 'later',
      propagate_mode: 'change_later',
      ...withoutNotification,
    })
    await edit('alice', ids[1], {
      topic: 'all',
      propagate_mode: 'change_all',
      ...withoutNotification,
    })
    await edit('alice', ids[1], { topic: 'one', ...withoutNotification })

    const events = (await feed.drain()).filter(({ type }) => type === 'update_message')
    assert.deepEqual(
      events.map((event) => [event['message_ids'], event['subject'], event['propagate_mode']]),
      [
        [[ids[1], ids[2]], 'later', 'change_later'],
        [[ids[1], ids[2]], 'all', 'change_all'],
        [[ids[1]], 'one', 'change_one'],
      ],
    )
    assert.equal(events[0]?.['orig_subject'], 'Old Place')
  })

  it('does not count resolving a topic as a move of its messages', async () => {
    const id = await at.people.alice.say(at.channels.design, 'bug', 'It broke')

    const answer = await edit('bob', id, { topic: '✔ bug', propagate_mode: 'change_all' })

    assert.equal(answer.status, 200)
    const { body } = await at.people.bob.get(`/messages/${id}`)
    assert.equal(body.message.subject, '✔ bug')
    assert.equal('last_moved_timestamp' in body.message, false)
  })

  it('moves a message to another channel, and sends a deletion to users who lose access', async () => {
    const { adam, alice, bob } = at.people
    const id = await alice.say(at.channels.design, 'private now', 'Ours')
    const [aliceFeed, bobFeed] = [await alice.listen(), await bob.listen()]
    await adam.post('/users/me/subscriptions', { subscriptions: [{ name: 'design' }] })

    const answer = await edit('alice', id, { stream_id: at.channels.secret })

    assert.equal(answer.text, '{"result":"success","msg":"","detached_uploads":[]}')
    const moved = (await aliceFeed.drain()).find((event) => event.type === 'update_message')
    assert.deepEqual(
      [moved?.['stream_id'], moved?.['new_stream_id'], moved?.['orig_subject'], moved?.['subject']],
      [at.channels.design, at.channels.secret, 'private now', undefined],
    )
    const lost = (await bobFeed.drain()).filter((event) => event.type !== 'subscription')
    assert.deepEqual(withoutIds(lost), [
      {
        type: 'delete_message',
        message_id: id,
        message_type: 'stream',
        stream_id: at.channels.design,
        topic: 'private now',
      },
    ])
    assert.equal((await bob.get(`/messages/${id}`)).body.msg, 'Invalid message(s)')
    assert.equal((await alice.get(`/messages/${id}`)).body.message.stream_id, at.channels.secret)
  })

  it('refuses invalid changes, in this order', async () => {
    const { alice, bob } = at.people
    const id = await alice.say(at.channels.design, 'refusals', 'Text')
    const direct = await alice.whisper([bob], 'Psst')
    const refusals: readonly [keyof typeof at.people, number, object, string][] = [
      ['alice', at.unknownId, { content: 'x' }, 'Invalid message(s)'],
      ['bob', id, { content: 'x' }, "You don't have permission to edit this message"],
      ['adam', id, { content: 'x' }, "You don't have permission to edit this message"],
      ['alice', id, {}, 'Nothing to change'],
      ['alice', id, { topic: 'refusals' }, 'Nothing to change'],
      ['alice', direct, { stream_id: 1 }, 'Direct messages cannot be moved to channels.'],
      ['alice', direct, { topic: 'x' }, 'Direct messages cannot have topics.'],
      [
        'alice',
        id,
        { content: 'x', propagate_mode: 'change_all' },
        'Invalid propagate_mode without topic edit',
      ],
      ['alice', id, { topic: 'x', propagate_mode: 'other' }, 'Invalid propagate_mode'],
      ['alice', id, { topic: '✔' }, 'General chat cannot be marked as resolved'],
      ['alice', id, { topic: 'a\u0007b' }, 'Invalid character in topic, at position 2!'],
      [
        'alice',
        id,
        { content: 'x', topic: 'a\u0007b', stream_id: at.channels.secret },
        'Invalid character in topic, at position 2!',
      ],
      [
        'alice',
        id,
        { content: 'x', stream_id: at.channels.secret },
        'Cannot change message content while changing channel',
      ],
      ['alice', id, { stream_id: at.unknownId }, 'Invalid channel ID'],
      ['alice', id, { stream_id: at.channels.attic }, 'Invalid channel ID'],
      ['bob', id, { stream_id: at.channels.secret }, 'Invalid channel ID'],
    ]

    for (const [person, message, changes, text] of refusals) {
      const answer = await edit(person, message, changes)
      assert.deepEqual([answer.status, answer.body.msg], [400, text], JSON.stringify(changes))
    }
    const { body } = await alice.get(`/messages/${id}`)
    assert.equal('edit_history' in body.message, false)
  })

  it('refuses an edit of outdated content', async () => {
    const id = await at.people.alice.say(at.channels.design, 'race', 'Text')

    const answer = await edit('alice', id, { content: 'x', prev_content_sha256: sha256('Other') })

    assert.deepEqual(answer.body, {
      result: 'error',
      msg: "'prev_content_sha256' value does not match the expected value.",
      code: 'EXPECTATION_MISMATCH',
      field_name: 'prev_content_sha256',
    })
  })

  it('replaces empty content with "(deleted)"', async () => {
    const id = await at.people.alice.say(at.channels.design, 'emptied', 'Text')

    await edit('alice', id, { content: '  \n' })

    const { body } = await at.people.alice.get(`/messages/${id}`)
    assert.equal(body.raw_content, '(deleted)')
  })

  it('accepts edits of the content for ten minutes, with a grace period of 20 seconds', async () => {
    const id = await at.people.alice.say(at.channels.design, 'late', 'Text')
    at.clock.advance(620)
    const inTime = await edit('alice', id, { content: 'In time' })
    at.clock.advance(1)

    const late = await edit('alice', id, { content: 'Late' })

    assert.equal(inTime.status, 200)
    assert.equal(late.body.msg, 'The time limit for editing this message has passed')
  })

  it('accepts moves by members for a week, and by moderators without a limit', async () => {
    const id = await at.people.alice.say(at.channels.design, 'old', 'Text')
    const second = await at.people.alice.say(at.channels.design, 'old', 'Text')
    at.clock.advance(604_821)
    const fresh = await at.people.alice.say(at.channels.design, 'old', 'Text')

    const member = await edit('alice', id, { topic: 'new' })
    const whole = await edit('alice', fresh, { topic: 'new', propagate_mode: 'change_all' })
    const moderator = await edit('mona', id, { topic: 'new', propagate_mode: 'change_all' })

    assert.equal(member.body.msg, "The time limit for editing this message's topic has passed.")
    assert.deepEqual(whole.body, {
      result: 'error',
      msg: 'You only have permission to move the 1/3 most recent messages in this topic.',
      code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      first_message_id_allowed_to_move: fresh,
      total_messages_in_topic: 3,
      total_messages_allowed_to_move: 1,
    })
    assert.equal(moderator.status, 200)
    assert.equal((await at.people.bob.get(`/messages/${second}`)).body.message.subject, 'new')
  })

  it('checks mentions before the age of messages', async () => {
    const { alice, bob } = at.people
    const { body } = await alice.post('/user_groups/create', {
      name: 'unmentionable',
      description: '',
      members: [],
      can_mention_group: { direct_members: [bob.id], direct_subgroups: [] },
    })
    await alice.say(at.channels.design, 'both', 'Old')
    at.clock.advance(604_821)
    const fresh = await alice.say(at.channels.design, 'both', 'Fresh')

    const refused = await edit('alice', fresh, {
      topic: 'elsewhere',
      propagate_mode: 'change_all',
      content: '@*unmentionable*',
    })

    assert.equal(body.result, 'success')
    assert.equal(refused.body.msg, "You are not allowed to mention user group 'unmentionable'.")
  })

  it('neither moves messages that the mover cannot see nor checks their age', async () => {
    const { alice, carol } = at.people
    const { vault } = at.channels
    const hidden = await alice.say(vault, 'quiet', 'Before carol came')
    await alice.say(vault, 'busy', 'Before carol came, too')
    await alice.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'vault' }],
      principals: [carol.id],
    })
    await alice.say(vault, 'busy', 'When carol was there')
    at.clock.advance(604_821)
    const moveAll = async (topic: string) =>
      edit('carol', await alice.say(vault, topic, 'Just now'), {
        topic: `new ${topic}`,
        propagate_mode: 'change_all',
      })

    const quiet = await moveAll('quiet')
    const busy = await moveAll('busy')

    assert.equal(quiet.status, 200, quiet.text)
    assert.equal((await alice.get(`/messages/${hidden}`)).body.message.subject, 'quiet')
    assert.equal(busy.body.code, 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED')
    assert.equal(busy.body.total_messages_in_topic, 2)
    assert.equal(busy.body.total_messages_allowed_to_move, 1)
  })
})
