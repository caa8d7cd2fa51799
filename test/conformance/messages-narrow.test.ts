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
    sent['no topic'] = await bob.say(design, '', `@**Alice Test** where?`)
    sent['lunch'] = await alice.say(general, 'lunch', 'Soup & salad, "fresh bread" too')
    sent['all'] = await bob.say(general, 'lunch', '@**all** the Äpfel are ready')
    sent['secret'] = await alice.say(secret, 'plans', 'Quiet now')
    sent['vault'] = await alice.say(vault, 'plans', 'Very quiet')
    sent['window'] = await alice.say(window, 'view', 'Good morning')
    sent['pair'] = await alice.whisper([bob], 'Just us')
    sent['group'] = await bob.whisper([alice, carol], 'All three')
    sent['self'] = await alice.whisper([alice], 'Buy salad')
  })

  /** The names of the messages that a narrow returns to a reader. */
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
    'no topic',
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

  it('matches each operator, and exactly the other messages if it is negated', async () => {
    const { alice, bob, carol } = at.people
    const { design } = at.channels
    const cases: readonly (readonly [Term, readonly string[]])[] = [
      [{ operator: 'channel', operand: design }, ['logo', 'done', 'no topic']],
      [{ operator: 'topic', operand: 'LOGO' }, ['logo']],
      [{ operator: 'topic', operand: 'general chat' }, ['no topic']],
      [{ operator: 'topic', operand: 'plans' }, ['secret', 'vault']],
      [{ operator: 'sender', operand: bob.email }, ['done', 'no topic', 'all', 'group']],
      [{ operator: 'sender', operand: bob.id }, ['done', 'no topic', 'all', 'group']],
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
      [is('mentioned'), ['no topic', 'all']],
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

  it('accepts terms that match every message, even if negated', async () => {
    const { alice } = at.people
    for (const term of [
      { operator: 'near', operand: '1' },
      { operator: 'in', operand: 'all' },
    ]) {
      assert.deepEqual(await find(alice, [term]), everything)
      assert.deepEqual(await find(alice, [not(term)]), everything)
    }
  })

  it('requires every term to match', async () => {
    const { alice } = at.people
    const channel = { operator: 'channel', operand: 'design' }
    const sender = { operator: 'sender', operand: alice.id }

    assert.deepEqual(await find(alice, [channel, sender]), ['logo'])
    assert.deepEqual(await find(alice, [channel, not(sender)]), ['done', 'no topic'])
    assert.deepEqual(await find(alice, [sender, not(sender)]), [])
  })

  it('matches the flags of the reader', async () => {
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

  it('searches the shared history of channels for all users who can read it', async () => {
    const { carol, gus, bob } = at.people
    const channel = (operand: unknown) => ({ operator: 'channel', operand })

    assert.deepEqual(await find(carol, [channel('design')]), ['logo', 'done', 'no topic'])
    assert.deepEqual(await find(carol, [channel('design'), is('resolved')]), ['done'])
    assert.deepEqual(await find(carol, [channel('design'), not(is('resolved'))]), [
      'logo',
      'no topic',
    ])
    assert.deepEqual(await find(carol, [{ operator: 'channels', operand: 'public' }]), [
      'logo',
      'done',
      'no topic',
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

  it('searches only received messages for terms about flags and without terms for channels', async () => {
    const { carol } = at.people
    const channel = { operator: 'channel', operand: 'design' }

    for (const term of [is('unread'), not(is('unread')), is('mentioned'), not(is('starred'))]) {
      assert.deepEqual(await find(carol, [channel, term]), [], JSON.stringify(term))
    }
    assert.deepEqual(await find(carol, [not(channel)]), ['lunch', 'all', 'group'])
    assert.deepEqual(await find(carol, [{ operator: 'topic', operand: 'logo' }]), [])
    assert.deepEqual(await find(carol, []), ['lunch', 'all', 'group'])
  })

  it('finds no messages in channels that the user cannot read', async () => {
    const { adam, carol, gus, bob } = at.people
    const channel = (operand: unknown) => ({ operator: 'channel', operand })

    for (const name of ['secret', 'vault']) {
      assert.deepEqual(await find(carol, [channel(name)]), [])
      // Administrators can see the channel, but not read its messages.
      assert.deepEqual(await find(adam, [channel(name)]), [])
    }
    // An id as a text is a name.
    for (const other of ['design', 'nowhere', String(at.channels.general), at.unknownId]) {
      assert.deepEqual(await find(gus, [channel(other)]), [], String(other))
    }
    assert.deepEqual(await find(gus, [not(channel('nowhere'))]), await find(gus, []))
    assert.deepEqual(await find(gus, [{ operator: 'channels', operand: 'public' }]), [
      'lunch',
      'all',
    ])
    assert.deepEqual(await find(bob, [channel('vault')]), ['vault'])
  })

  it('searches the history that the last of several channel terms selects', async () => {
    const { adam, carol } = at.people
    const design = { operator: 'channel', operand: 'design' }
    const everyPublic = { operator: 'channels', operand: 'public' }

    assert.deepEqual(await find(carol, [everyPublic, design]), ['logo', 'done', 'no topic'])
    assert.deepEqual(await find(adam, [design, { operator: 'channel', operand: 'vault' }]), [])
  })

  it('finds phrases ignoring case, and words in any order', async () => {
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

  it('highlights matches, but never inside a tag', async () => {
    const { alice } = at.people
    const match = async (operand: string, name: string) => {
      const { body } = await alice.get('/messages', {
        anchor: sent[name],
        apply_markdown: false,
        narrow: [{ operator: 'search', operand }],
      })
      const { match_content, match_subject, content } = body.messages[0]!
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
    const ampersand = await match('amp soup', 'lunch').catch(() => undefined)
    assert.equal(ampersand, undefined, 'a character reference contains no word')
    assert.equal(
      (await match('& soup "fresh bread"', 'lunch')).match_content,
      `<p>${mark('Soup')} &amp; salad, "${mark('fresh')} ${mark('bread')}" too</p>`,
    )
  })

  it('returns no highlighted texts without a search', async () => {
    const { body } = await at.people.alice.get('/messages', { anchor: sent['logo'] })

    assert.equal('match_content' in body.messages[0]!, false)
    assert.equal('match_subject' in body.messages[0]!, false)
  })

  it('finds the conversation that the message of a with term is in now', async () => {
    const { alice, carol } = at.people
    const beside = await alice.say(at.channels.design, 'logo', 'Next to it')
    sent['beside'] = beside
    const wrongTopic = { operator: 'topic', operand: 'elsewhere' }
    const withMessage = (operand: unknown): Term => ({ operator: 'with', operand })

    assert.deepEqual(await find(alice, [wrongTopic, withMessage(sent['logo'])]), ['logo', 'beside'])
    assert.deepEqual(await find(alice, [withMessage(String(sent['logo']))]), ['logo', 'beside'])
    assert.deepEqual(await find(carol, [withMessage(sent['logo'])]), ['logo', 'beside'])
    assert.deepEqual(
      await find(alice, [{ operator: 'dm', operand: [carol.id] }, withMessage(sent['pair'])]),
      ['pair'],
    )
    assert.deepEqual(
      await find(alice, [withMessage(sent['logo']), { operator: 'search', operand: 'next' }]),
      ['beside'],
    )
    delete sent['beside']
  })

  it('ignores a with term for an inaccessible message if the other terms select a conversation', async () => {
    const { bob } = at.people
    const gone = { operator: 'with', operand: sent['self'] }
    const channel = { operator: 'channel', operand: 'design' }
    const topic = { operator: 'topic', operand: '✔ paint' }

    assert.deepEqual(await find(bob, [channel, topic, gone]), ['done'])
    const { body } = await bob.get('/messages', { anchor: 0, narrow: [channel, gone] })
    assert.equal(body.desc, "Invalid 'with' operator")
  })
})
