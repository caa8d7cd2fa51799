import assert from 'node:assert/strict'
import { before, it } from 'node:test'

import type { Client } from '../support/client.js'
import { everyHost } from '../support/host.js'

type Term = { operator: string; operand: unknown; negated?: boolean }

const not = (term: Term): Term => ({ ...term, negated: true })
const is = (operand: string): Term => ({ operator: 'is', operand })

everyHost('get-messages', (at) => {
  /** The messages of these cases, by name. */
  const sent: Record<string, number> = {}

  before(async () => {
    const { alice, bob, carol } = at.people
    const { design, general, secret, vault, window } = at.channels
    sent['logo'] = await alice.say(design, 'Logo', 'See https://example.com/logo for the sketch')
    sent['done'] = await bob.say(design, '✔ Paint', 'All walls are blue')
    sent['nameless'] = await bob.say(design, '', `@**Alice Test** where?`)
    sent['lunch'] = await alice.say(general, 'lunch', 'Soup & salad, "fresh bread" too')
    sent['all'] = await bob.say(general, 'lunch', '@**all** the Äpfel are ready')
    sent['secret'] = await alice.say(secret, 'plans', 'Quiet now')
    sent['vault'] = await alice.say(vault, 'plans', 'Very quiet')
    sent['window'] = await alice.say(window, 'view', 'Good morning')
    sent['pair'] = await alice.whisper([bob], 'Just us')
    sent['group'] = await bob.whisper([alice, carol], 'All three')
    sent['self'] = await alice.whisper([alice], 'Buy salad')
  })

  /** The names of what a narrow brings to a reader. */
  const find = async (client: Client, narrow: readonly Term[]): Promise<string[]> => {
    const { body, text, status } = await client.get('/messages', {
      anchor: 'oldest',
      num_after: 100,
      narrow,
    })
    assert.equal(status, 200, text)
    const names = new Map(Object.entries(sent).map(([name, id]) => [id, name]))
    return (body.messages as { id: number }[]).flatMap(({ id }) => names.get(id) ?? [])
  }
  const everything = [
    'logo',
    'done',
    'nameless',
    'lunch',
    'all',
    'secret',
    'vault',
    'window',
    'pair',
    'group',
    'self',
  ]
  const all = (...left: string[]) => everything.filter((name) => !left.includes(name))

  it('matches each operator, and its opposite exactly where it is negated', async () => {
    const { alice, bob, carol } = at.people
    const { design } = at.channels
    const cases: readonly (readonly [Term, readonly string[]])[] = [
      [{ operator: 'channel', operand: design }, ['logo', 'done', 'nameless']],
      [{ operator: 'topic', operand: 'LOGO' }, ['logo']],
      [{ operator: 'topic', operand: 'general chat' }, ['nameless']],
      [{ operator: 'topic', operand: 'plans' }, ['secret', 'vault']],
      [{ operator: 'sender', operand: bob.email }, ['done', 'nameless', 'all', 'group']],
      [{ operator: 'sender', operand: bob.id }, ['done', 'nameless', 'all', 'group']],
      [{ operator: 'dm', operand: [bob.id] }, ['pair']],
      [{ operator: 'dm', operand: [alice.id] }, ['self']],
      [{ operator: 'dm', operand: [bob.id, carol.id] }, ['group']],
      [{ operator: 'dm', operand: [carol.id] }, []],
      [{ operator: 'dm', operand: [] }, []],
      [{ operator: 'dm-including', operand: bob.id }, ['pair', 'group']],
      [{ operator: 'dm-including', operand: carol.email }, ['group']],
      [{ operator: 'dm-including', operand: alice.id }, ['pair', 'group', 'self']],
      [{ operator: 'group-pm-with', operand: bob.id }, ['group']],
      [is('dm'), ['pair', 'group', 'self']],
      [is('private'), ['pair', 'group', 'self']],
      [is('mentioned'), ['nameless', 'all']],
      [is('resolved'), ['done']],
      [{ operator: 'has', operand: 'link' }, ['logo']],
      [{ operator: 'has', operand: 'image' }, []],
      [{ operator: 'has', operand: 'attachment' }, []],
      [{ operator: 'id', operand: String(sent['logo']) }, ['logo']],
      [{ operator: 'id', operand: sent['pair'] }, ['pair']],
      [{ operator: 'search', operand: 'quiet' }, ['secret', 'vault']],
    ]
    for (const [term, names] of cases) {
      assert.deepEqual(await find(alice, [term]), names, JSON.stringify(term))
      assert.deepEqual(await find(alice, [not(term)]), all(...names), `not ${JSON.stringify(term)}`)
    }
  })

  it('takes terms that say nothing, negated too', async () => {
    const { alice } = at.people
    for (const term of [
      { operator: 'near', operand: '1' },
      { operator: 'in', operand: 'all' },
    ]) {
      assert.deepEqual(await find(alice, [term]), everything)
      assert.deepEqual(await find(alice, [not(term)]), everything)
    }
  })

  it('wants every term to match', async () => {
    const { alice } = at.people
    const channel = { operator: 'channel', operand: 'design' }
    const sender = { operator: 'sender', operand: alice.id }

    assert.deepEqual(await find(alice, [channel, sender]), ['logo'])
    assert.deepEqual(await find(alice, [channel, not(sender)]), ['done', 'nameless'])
    assert.deepEqual(await find(alice, [sender, not(sender)]), [])
  })

  it('follows the flags of the reader', async () => {
    const { alice } = at.people
    const messages = [sent['lunch'], sent['pair']]
    const set = (op: string, flag: string) => alice.post('/messages/flags', { messages, op, flag })

    await set('add', 'starred')
    assert.deepEqual(await find(alice, [is('starred')]), ['lunch', 'pair'])
    assert.deepEqual(await find(alice, [not(is('starred'))]), all('lunch', 'pair'))
    await set('remove', 'starred')
    await set('add', 'read')
    assert.deepEqual(await find(alice, [not(is('unread'))]), ['lunch', 'pair'])
    assert.deepEqual(await find(alice, [is('unread')]), all('lunch', 'pair'))
    await set('remove', 'read')
  })

  it('searches what channels share with all who may read them', async () => {
    const { carol, gus, bob } = at.people
    const channel = (operand: unknown) => ({ operator: 'channel', operand })

    assert.deepEqual(await find(carol, [channel('design')]), ['logo', 'done', 'nameless'])
    assert.deepEqual(await find(carol, [channel('design'), is('resolved')]), ['done'])
    assert.deepEqual(await find(carol, [channel('design'), not(is('resolved'))]), [
      'logo',
      'nameless',
    ])
    assert.deepEqual(await find(carol, [{ operator: 'channels', operand: 'public' }]), [
      'logo',
      'done',
      'nameless',
      'lunch',
      'all',
      'window',
    ])
    assert.deepEqual(await find(carol, [{ operator: 'channels', operand: 'web-public' }]), [
      'window',
    ])
    assert.deepEqual(await find(gus, [channel('window')]), ['window'])
    assert.deepEqual(await find(bob, [channel('window')]), ['window'])
  })

  it('searches only what was received where a term is about that, or none about channels', async () => {
    const { carol } = at.people
    const channel = { operator: 'channel', operand: 'design' }

    for (const term of [is('unread'), not(is('unread')), is('mentioned'), not(is('starred'))]) {
      assert.deepEqual(await find(carol, [channel, term]), [], JSON.stringify(term))
    }
    assert.deepEqual(await find(carol, [not(channel)]), ['lunch', 'all', 'group'])
    assert.deepEqual(await find(carol, [{ operator: 'topic', operand: 'logo' }]), [])
    assert.deepEqual(await find(carol, []), ['lunch', 'all', 'group'])
  })

  it('lets outsiders find nothing in channels that are not for them', async () => {
    const { carol, gus, bob } = at.people
    const channel = (operand: unknown) => ({ operator: 'channel', operand })

    for (const name of ['secret', 'vault']) assert.deepEqual(await find(carol, [channel(name)]), [])
    assert.deepEqual(await find(gus, [channel('design')]), [])
    assert.deepEqual(await find(gus, [{ operator: 'channels', operand: 'public' }]), [
      'lunch',
      'all',
    ])
    assert.deepEqual(await find(bob, [channel('vault')]), ['vault'])
  })

  it('lets the last of several channels decide what is searched', async () => {
    const { carol } = at.people
    const design = { operator: 'channel', operand: 'design' }
    const everyPublic = { operator: 'channels', operand: 'public' }

    assert.deepEqual(await find(carol, [everyPublic, design]), ['logo', 'done', 'nameless'])
    assert.deepEqual(await find(carol, [design, { operator: 'channel', operand: 'vault' }]), [])
  })

  it('finds whole phrases in any case, and words in any order', async () => {
    const { alice } = at.people
    const search = (operand: string) => find(alice, [{ operator: 'search', operand }])

    assert.deepEqual(await search('SALAD'), ['lunch', 'self'])
    assert.deepEqual(await search('salad soup'), ['lunch'])
    assert.deepEqual(await search('"fresh bread"'), ['lunch'])
    assert.deepEqual(await search('"bread fresh"'), [])
    assert.deepEqual(await search('äpfel'), ['all'])
    assert.deepEqual(await search('lunch'), ['lunch', 'all'])
    assert.deepEqual(await search('100%'), [])
    assert.deepEqual(await search('wal_s'), [])
  })

  it('highlights what was searched for, never inside a tag', async () => {
    const { alice } = at.people
    const match = async (operand: string, name: string) => {
      const { body } = await alice.get('/messages', {
        anchor: sent[name],
        apply_markdown: false,
        narrow: [{ operator: 'search', operand }],
      })
      const { match_content, match_subject, content } = body.messages[0]
      return { match_content, match_subject, content }
    }
    const mark = (text: string) => `<span class="highlight">${text}</span>`

    assert.deepEqual(await match('logo', 'logo'), {
      match_content: `<p>See <a href="https://example.com/logo">https://example.com/${mark('logo')}</a> for the sketch</p>`,
      match_subject: mark('Logo'),
      content: 'See https://example.com/logo for the sketch',
    })
    assert.deepEqual(await match('SALAD', 'self'), {
      match_content: `<p>Buy ${mark('salad')}</p>`,
      match_subject: '',
      content: 'Buy salad',
    })
    const ampersand = await match('amp Soup & "fresh bread"', 'lunch').catch(() => undefined)
    assert.equal(ampersand, undefined, 'a character reference holds no word')
    assert.equal(
      (await match('& soup', 'lunch')).match_content,
      `<p>${mark('Soup')} ${mark('&amp;')} salad, "fresh bread" too</p>`,
    )
  })

  it('adds no such texts without a search', async () => {
    const { body } = await at.people.alice.get('/messages', { anchor: sent['logo'] })

    assert.equal('match_content' in body.messages[0], false)
    assert.equal('match_subject' in body.messages[0], false)
  })

  it('looks where a named message is now', async () => {
    const { alice, carol } = at.people
    const beside = await alice.say(at.channels.design, 'logo', 'Next to it')
    sent['beside'] = beside
    const wrongTopic = { operator: 'topic', operand: 'elsewhere' }
    const at2 = (operand: unknown): Term => ({ operator: 'with', operand })

    assert.deepEqual(await find(alice, [wrongTopic, at2(sent['logo'])]), ['logo', 'beside'])
    assert.deepEqual(await find(alice, [at2(String(sent['logo']))]), ['logo', 'beside'])
    assert.deepEqual(await find(carol, [at2(sent['logo'])]), ['logo', 'beside'])
    assert.deepEqual(
      await find(alice, [{ operator: 'dm', operand: [carol.id] }, at2(sent['pair'])]),
      ['pair'],
    )
    assert.deepEqual(
      await find(alice, [at2(sent['logo']), { operator: 'search', operand: 'next' }]),
      ['beside'],
    )
    delete sent['beside']
  })

  it('ignores a named message that is not there, if the rest names a conversation', async () => {
    const { bob } = at.people
    const gone = { operator: 'with', operand: sent['self'] }
    const channel = { operator: 'channel', operand: 'design' }
    const topic = { operator: 'topic', operand: '✔ paint' }

    assert.deepEqual(await find(bob, [channel, topic, gone]), ['done'])
    const { body } = await bob.get('/messages', { anchor: 0, narrow: [channel, gone] })
    assert.equal(body.desc, "Invalid 'with' operator")
  })
})

everyHost('get-messages', (at) => {
  const mute = (client: Client, topic: string, policy: number) =>
    client.post('/user_topics', {
      stream_id: at.channels.design,
      topic,
      visibility_policy: policy,
    })
  const ids: number[] = []
  const [quiet, loud, plain] = [0, 1, 2]

  before(async () => {
    const { alice, bob } = at.people
    ids.splice(0)
    for (const topic of ['quiet', 'loud', 'plain']) {
      ids.push(await alice.say(at.channels.design, topic, 'Hello'))
    }
    await mute(bob, 'Quiet', 1)
    await mute(bob, 'loud', 3)
  })

  const find = async (narrow: unknown): Promise<number[]> => {
    const { body } = await at.people.bob.get('/messages', { anchor: 0, num_after: 100, narrow })
    return body.messages.map(({ id }: { id: number }) => ids.indexOf(id))
  }
  const firstUnread = async (narrow: unknown): Promise<number> => {
    const { body } = await at.people.bob.get('/messages', { anchor: 'first_unread', narrow })
    return ids.indexOf(body.anchor)
  }
  const muteChannel = (value: boolean) =>
    at.people.bob.post('/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: at.channels.design, property: 'is_muted', value }],
    })

  it('hides muted topics at home, and shows them to who asks for them', async () => {
    assert.deepEqual(await find([['in', 'home']]), [loud, plain])
    assert.deepEqual(await find([['is', 'muted']]), [quiet])
    assert.deepEqual(await find([{ operator: 'in', operand: 'home', negated: true }]), [quiet])
    assert.deepEqual(await find([['is', 'followed']]), [loud])
    assert.deepEqual(await find([{ operator: 'is', operand: 'followed', negated: true }]), [
      quiet,
      plain,
    ])
    assert.deepEqual(await find([]), [quiet, loud, plain])
    assert.equal(await firstUnread([]), loud)
  })

  it('hides muted channels but for the topics of interest', async () => {
    await muteChannel(true)

    assert.deepEqual(await find([['in', 'home']]), [loud])
    assert.deepEqual(await find([['is', 'muted']]), [quiet, plain])
    assert.equal(await firstUnread([]), loud)
    await mute(at.people.bob, 'loud', 0)
    assert.deepEqual(await find([['in', 'home']]), [])
    assert.equal(await firstUnread([]), -1)
    assert.equal(await firstUnread([['channel', 'design']]), loud)
    await mute(at.people.bob, 'loud', 2)
    assert.deepEqual(await find([['in', 'home']]), [loud])
    await mute(at.people.bob, 'loud', 3)
    await muteChannel(false)
  })
})

everyHost('get-messages', (at) => {
  const ids = async (client: Client, narrow: unknown): Promise<number[]> => {
    const { body, text } = await client.get('/messages', { anchor: 0, num_after: 50, narrow })
    assert.equal(body.result, 'success', text)
    return body.messages.map(({ id }: { id: number }) => id)
  }

  it('finds messages with a reaction', async () => {
    const { alice, bob } = at.people
    const plain = await alice.say(at.channels.design, 'logo', 'One')
    const liked = await alice.say(at.channels.design, 'logo', 'Two')
    await bob.post(`/messages/${liked}/reactions`, { emoji_name: 'octopus' })

    assert.deepEqual(await ids(bob, [['has', 'reaction']]), [liked])
    assert.deepEqual(await ids(bob, [{ operator: 'has', operand: 'reaction', negated: true }]), [
      plain,
    ])
  })

  it('finds nothing more in a private channel that one has left', async () => {
    const { alice, bob } = at.people
    const id = await alice.say(at.channels.vault, 'plans', 'Hush')
    const direct = await alice.whisper([bob], 'Hush')
    const narrows = [[['channel', 'vault']], [['topic', 'plans']], [['sender', alice.email]]]
    for (const narrow of narrows) assert.ok((await ids(bob, narrow)).includes(id))

    const left = await bob.delete('/users/me/subscriptions', { subscriptions: ['vault'] })

    assert.equal(left.status, 200, left.text)
    for (const narrow of narrows) assert.equal((await ids(bob, narrow)).includes(id), false)
    assert.equal((await ids(bob, [])).includes(id), false)
    assert.ok((await ids(bob, [['sender', alice.email]])).includes(direct))
    assert.deepEqual(await ids(bob, [['is', 'starred']]), [])
  })

  it('finds what one has of a private channel as long as a group gives access', async () => {
    const { adam, carol } = at.people
    await adam.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'club' }],
      invite_only: true,
      history_public_to_subscribers: true,
    })
    const { stream_id } = (await adam.get('/get_stream_id', { stream: 'club' })).body
    const id = await adam.say(stream_id, 'plans', 'Hush')
    const plans = [
      ['channel', 'club'],
      ['topic', 'plans'],
    ]
    const allow = async (value: unknown) => {
      const { status, text } = await adam.patch(`/streams/${stream_id}`, {
        can_subscribe_group: { new: value },
      })
      assert.equal(status, 200, text)
    }
    assert.deepEqual(await ids(carol, plans), [])

    await allow({ direct_members: [carol.id], direct_subgroups: [] })
    assert.deepEqual(await ids(carol, plans), [id])
    await carol.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
    assert.deepEqual(await ids(carol, [['is', 'starred']]), [id])
    await allow({ direct_members: [], direct_subgroups: [] })
    assert.deepEqual(await ids(carol, [['is', 'starred']]), [])
    assert.deepEqual(await ids(carol, plans), [])
  })
})
