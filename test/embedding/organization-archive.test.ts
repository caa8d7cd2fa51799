import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { it } from 'node:test'

import { bytesOf, entriesOf } from '../support/archives.js'
import { comparedRows } from '../support/compared-organizations.js'
import { findTexts, readTables } from '../support/database-texts.js'
import { everyDatabase, TestHost, type HostCase } from '../support/host.js'
import { pixel, richOrganization } from '../support/rich-organization.js'
import { richPerson } from '../support/rich-person.js'

/** An organization with rows in every table, and files of every kind. */
async function fill(at: HostCase): Promise<void> {
  const { olga, alice } = at.people
  const rich = await richPerson(at)
  const system = at.host.chat.asSystem({ organization: at.subdomain }).api
  const image = { name: 'i.png', content: Buffer.from(pixel, 'base64') }
  const owner = at.host.chat.as({ userId: olga.id, organization: at.subdomain }).api
  await owner.uploadRealmIcon({ file: image })
  await owner.uploadCustomEmoji({ emoji_name: 'xylophone', file: image })
  const { url } = await rich.api.uploadFile({ file: image })
  await rich.api.sendMessage({
    type: 'direct',
    to: [alice.id],
    content: `![](${url}) :xylophone: @**all**`,
  })
  await alice.post('/messages', {
    type: 'channel',
    to: at.channels.general,
    topic: 'moved',
    content: 'Moved',
  })
  await system.updateRealm({ description: 'Everything is here' })
  await system.createRealmDomain({ domain: 'product.example', allow_subdomains: true })
  await system.addLinkifier({
    pattern: 'REF-(?P<id>[0-9]+)',
    url_template: 'https://r.example/{id}',
  })
  await system.addCodePlayground({
    name: 'Rust',
    pygments_language: 'Rust',
    url_template: 'https://play.example/?code={code}',
  })
  await owner.createChannelFolder({ name: 'Folder', description: '*Folder*' })
  await owner.createBot({
    full_name: 'Hook',
    short_name: 'hook',
    bot_type: 3,
    payload_url: JSON.stringify('https://hook.example/in'),
  })
  await rich.api.createScheduledMessage({
    type: 'channel',
    to: at.channels.general,
    topic: 'pictures',
    content: `[later](${rich.files.unlinked})`,
    scheduled_delivery_timestamp: at.clock.seconds + 100_000,
  })
  await at.host.chat.channels.ensure({
    externalId: 'team',
    name: 'Team',
    organization: at.subdomain,
  })
}

/** The subscriptions with which each message writes a user message: `user channel`. */
async function subscriptionsWrittenAtOnce(host: TestHost, id: number): Promise<string[]> {
  const rows = (await readTables(host.databaseConfig)).get('chat_subscriptions') ?? []
  return rows
    .filter((row) => row['organization_id'] === id && row['unwritten_after_message_id'] === null)
    .filter((row) => Number(row['is_active']) === 1 && Number(row['is_user_active']) === 1)
    .map((row) => `${row['user_id']} ${row['channel_id']}`)
    .sort()
}

everyDatabase('archives of organizations', 'express', (at) => {
  /** Runs `use` with a second, empty server. */
  async function elsewhere(use: (other: TestHost) => Promise<void>): Promise<void> {
    const other = new TestHost('koa', at.host.database)
    other.clock.jump(at.clock.seconds - other.clock.seconds)
    await other.start()
    try {
      await use(other)
    } finally {
      await other.stop()
    }
  }

  it('make an equal organization on another server, which works', async () => {
    await fill(at)
    const { id } = (await at.host.chat.organizations.find(at.subdomain)) ?? { id: 0 }
    const archive = await bytesOf(at.host.chat.organizations.export(id))

    await elsewhere(async (other) => {
      const { organizationId } = await other.chat.organizations.import(Readable.from([archive]))

      assert.equal(organizationId, id)
      const imported = await comparedRows(other.databaseConfig, id)
      assert.deepEqual(imported, await comparedRows(at.host.databaseConfig, id))
      const writtenAtOnce = await subscriptionsWrittenAtOnce(other, id)
      assert.deepEqual(writtenAtOnce, await subscriptionsWrittenAtOnce(at.host, id))
      const empty = Object.entries(imported).filter(([, rows]) => rows.length === 0)
      assert.deepEqual(
        empty.map(([name]) => name),
        [],
      )
      const alice = other.chat.as({ userId: at.people.alice.id, organization: at.subdomain }).api
      const found = await alice.getMessages({
        anchor: 'newest',
        num_before: 10,
        num_after: 0,
        narrow: [{ operator: 'search', operand: 'xylophone' }],
      })
      assert.ok(found.messages.length > 0)
      const sent = await alice.sendMessage({
        type: 'channel',
        to: at.channels.general,
        topic: 'xylophone topic',
        content: '@**Bob** hello',
      })
      assert.ok(sent.id > Math.max(...found.messages.map((message) => message.id)))
      const emoji = await alice.getCustomEmoji()
      const [picture] = Object.values(emoji.emoji)
      const answer = await fetch(`${other.origin}${picture?.source_url}`, {
        headers: { host: new URL(other.origin).host },
      })
      assert.ok(answer.status < 500)
    })
  })

  it('contain no secrets, and none of another organization', async () => {
    const other = await at.host.organization()
    await other.people.alice.post('/messages', {
      type: 'channel',
      to: other.channels.general,
      topic: 'a',
      content: 'Somewhere else entirely',
    })
    const entries = await entriesOf(await bytesOf(at.host.chat.organizations.export(at.subdomain)))
    const all = [...entries.values()].join('\n')

    assert.equal(all.includes('Somewhere else entirely'), false)
    assert.equal(all.includes(at.people.alice.credentials?.apiKey ?? '?'), false)
    for (const column of [
      'api_key_hash',
      'api_key_sealed',
      'password_hash',
      'service_token_sealed',
    ]) {
      assert.equal(all.includes(column), false, column)
    }
  })

  it('are as the organization was when the export began', async () => {
    const archive = at.host.chat.organizations.export(at.subdomain)[Symbol.asyncIterator]()
    const first = await archive.next()
    await at.people.alice.post('/messages', {
      type: 'channel',
      to: at.channels.general,
      topic: 'late',
      content: 'Too late for the archive',
    })
    const rest = await bytesOf({ [Symbol.asyncIterator]: () => archive })

    const entries = await entriesOf(Buffer.concat([first.value as Uint8Array, rest]))
    assert.equal([...entries.values()].join().includes('Too late for the archive'), false)
  })

  it('can be left early, and are refused for an unknown organization', async () => {
    for await (const chunk of at.host.chat.organizations.export(at.subdomain)) {
      assert.ok(chunk.length > 0)
      break
    }
    await assert.rejects(bytesOf(at.host.chat.organizations.export('none')), {
      code: 'BAD_REQUEST',
      message: 'No such organization',
    })
    await assert.rejects(bytesOf(at.host.chat.organizations.export(undefined as never)), TypeError)
  })

  it('can get another subdomain, and are refused where their ids are in use', async () => {
    const { file } = richOrganization('rich-archive', 9_100_000)
    await at.host.chat.organizations.load(file)
    const archive = await bytesOf(at.host.chat.organizations.export('rich-archive'))
    const load = (subdomain?: string) =>
      at.host.chat.organizations.import(Readable.from([archive]), subdomain ? { subdomain } : {})

    await assert.rejects(load(), { code: 'BAD_REQUEST' })
    await assert.rejects(load('another'), { code: 'BAD_REQUEST' })
    await assert.rejects(load('www'), { code: 'BAD_REQUEST' })
    assert.equal(await at.host.chat.organizations.find('another'), undefined)
    await at.host.chat.organizations.delete('rich-archive', { confirm: 'rich-archive' })
    assert.deepEqual(await findTexts(at.host.databaseConfig, ['rich-archive.example']), [])
    const { organizationId } = await load('another')

    assert.equal((await at.host.chat.organizations.find('another'))?.id, organizationId)
    await at.host.chat.organizations.delete('another', { confirm: 'another' })
  })
})
