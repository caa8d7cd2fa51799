import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

import { archiveOf, bytesOf, entriesOf, sealedArchiveOf } from '../support/archives.js'
import { comparedRows } from '../support/compared-organizations.js'
import { readTables } from '../support/database-texts.js'
import { databaseColumnsOf, reportSkippedColumns } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { richOrganization } from '../support/rich-organization.js'
import { compiledProgram } from '../support/programs.js'
import { until, within } from '../support/waiting.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const afterLease = 16 * 60

reportSkippedColumns()
for (const column of databaseColumnsOf('imports that do not end')) {
  describe(`imports that do not end (${column.name})`, () => {
    const source = new TestHost('express', column)
    const host = new TestHost('express', column)
    let folder: string
    let archive: Buffer
    const children: ChildProcess[] = []

    before(async () => {
      await source.start()
      await host.start()
      folder = await mkdtemp(join(tmpdir(), 'parley-imports-'))
      const { file } = richOrganization('rich', 9_000_000)
      await source.chat.organizations.load(file)
      archive = await bytesOf(source.chat.organizations.export('rich'))
    })
    after(async () => {
      for (const child of children) child.kill('SIGKILL')
      await source.stop()
      await host.stop()
      await rm(folder, { recursive: true, force: true })
    })

    const load = (bytes: Buffer) => host.chat.organizations.import(Readable.from([bytes]))

    /** The number of rows of organizations, and of files. */
    async function storedRows(): Promise<number> {
      let count = 0
      for (const [name, rows] of await readTables(host.databaseConfig)) {
        const isOfServer = rows.every((row) => !('organization_id' in row))
        if (!isOfServer || name === 'chat_organizations') count += rows.length
      }
      return count
    }

    it('are deleted by another process after a kill', async () => {
      const path = join(folder, 'archive.tar.gz')
      // With the end of the compressed data, nothing of the last entries is missing.
      await writeFile(path, archive)
      const child = spawn(
        process.execPath,
        [
          '--enable-source-maps',
          compiledProgram('test/faults/import-process.ts'),
          JSON.stringify(host.databaseConfig),
          path,
        ],
        { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
      )
      children.push(child)
      await within('the import to wait', once(child.stdout, 'data'), { seconds: 60 })
      const messages = async () =>
        (await readTables(host.databaseConfig)).get('chat_messages')?.length ?? 0
      await until('messages to be stored', async () => (await messages()) > 0)
      const isGone = once(child, 'exit')
      child.kill('SIGKILL')
      await within('the end of the process', isGone)

      assert.equal(await host.chat.organizations.find('rich'), undefined)
      for await (const one of host.chat.organizations.list()) assert.fail(one.subdomain)
      await assert.rejects(load(archive), { code: 'BAD_REQUEST' })
      assert.ok((await storedRows()) > 0)
      host.clock.jump(Date.now() / 1000 - host.clock.seconds + afterLease)
      host.clock.advance(5 * 60)
      await until('the rest to be deleted', async () => (await storedRows()) === 0)

      const { organizationId } = await load(archive)
      assert.deepEqual(
        await comparedRows(host.databaseConfig, organizationId),
        await comparedRows(source.databaseConfig, organizationId),
      )
      await host.chat.organizations.delete('rich', { confirm: 'rich' })
    })

    it('leave nothing if the archive is damaged, wrong or incomplete', async () => {
      const entries = await entriesOf(archive)
      const changed = (change: (all: Map<string, string>) => void, isSealed = false) => {
        const copy = new Map(entries)
        change(copy)
        return isSealed ? sealedArchiveOf(copy) : archiveOf(copy)
      }
      const nameOf = (table: string) =>
        [...entries.keys()].find((name) => name.endsWith(`-${table}.ndjson`)) ?? ''
      const replaced = (table: string, from: string | RegExp, to: string, isSealed = false) =>
        changed((all) => {
          const name = nameOf(table)
          const text = all.get(name) ?? ''
          assert.notEqual(text.replace(from, to), text)
          all.set(name, text.replace(from, to))
        }, isSealed)
      const damaged = Buffer.from(archive)
      damaged.writeUInt8(damaged.readUInt8(500) ^ 0xff, 500)
      const cases: [string, Buffer, RegExp][] = [
        ['no archive', Buffer.from('no archive'), /damaged or incomplete/],
        ['nothing', Buffer.alloc(0), /incomplete/],
        ['cut', archive.subarray(0, archive.length >> 1), /damaged or incomplete/],
        ['damaged', damaged, /damaged|must|wrong/],
        ['no end', await changed((all) => all.delete('end.json')), /end.json: is missing/],
        ['no manifest', await changed((all) => all.delete('manifest.json')), /must follow/],
        [
          'missing rows',
          await changed((all) => all.delete(nameOf('reactions'))),
          /does not match what was read/,
        ],
        [
          'another version',
          await changed((all) =>
            all.set(
              'manifest.json',
              (all.get('manifest.json') ?? '').replace('"version":1', '"version":2'),
            ),
          ),
          /version 2/,
        ],
        ['a changed text', await replaced('messages', 'Psst', 'Hush'), /archive was changed/],
        ['a wrong type', await replaced('messages', '"client":"', '"client":7,"x":"'), /must/],
        ['a wrong setting', await replaced('users', /\\"[a-z_]+\\":/, '\\"no\\":'), /setting/],
        [
          'an unknown group',
          await replaced('channels', /\\":\d+/, '\\":77', true),
          /user_groups: there is no row with the id 77/,
        ],
        ['broken JSON', await replaced('messages', '{', ''), /must/],
        [
          'an unknown sender',
          await replaced('messages', /"sender_id":\d+/, '"sender_id":77', true),
          /users: there is no row with the id 77/,
        ],
        [
          'an unknown table',
          await changed((all) => {
            const end = all.get('end.json') ?? ''
            all.delete('end.json')
            all.set('rows/000999-server_secrets.ndjson', '{}\n').set('end.json', end)
          }),
          /is not known/,
        ],
        [
          'a strange file',
          await changed((all) => {
            const end = all.get('end.json') ?? ''
            all.delete('end.json')
            all.set('files/../../secret', 'x').set('end.json', end)
          }),
          /belongs to no row/,
        ],
      ]
      const before = await storedRows()
      for (const [title, bytes, problem] of cases) {
        await assert.rejects(load(bytes), problem, title)
        assert.equal(await storedRows(), before, title)
      }
      const broken = async function* (): AsyncGenerator<Uint8Array> {
        yield archive.subarray(0, 2000)
        throw new Error('The connection is lost')
      }
      await assert.rejects(host.chat.organizations.import(broken()), /connection is lost/)
      assert.equal(await storedRows(), before)
    })
  })
}
