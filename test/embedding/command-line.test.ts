import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'

import { createChatServer } from '@parley/core'
import createKnex from 'knex'

import { row } from '../../packages/core/src/command-line/command.js'
import { loadOptions } from '../../packages/core/src/command-line/config-module.js'
import { runCommand, type CommandOutput } from '../../packages/core/src/command-line/run-command.js'
import { databaseColumns, reportSkippedColumns, type TestDatabase } from '../support/databases.js'
import { compiledProgram } from '../support/programs.js'
import { until } from '../support/waiting.js'

type Output = Omit<CommandOutput, 'exitCode'> & { readonly exitCode: number }

it('a name with tabs and line ends is one field of a line', () => {
  assert.equal(row('one\ttwo\nthree', null, 4), 'one two three\t-\t4')
})

reportSkippedColumns()
for (const column of databaseColumns()) {
  describe(`the command parley (${column.name})`, () => {
    let database: TestDatabase
    let folder: string
    before(async () => {
      database = await column.create()
      folder = await mkdtemp(join(tmpdir(), 'parley-command-'))
      await configure('chat.config.mjs', `export default ${JSON.stringify(options())}`)
    })
    after(async () => {
      await database.drop()
      await rm(folder, { recursive: true })
    })

    const options = () => ({ database: database.config, secret: 's'.repeat(32) })
    const configure = (name: string, text: string) => writeFile(join(folder, name), text)
    const here = (name: string) => join(folder, name)
    /** Runs the command in this process, where it is faster. */
    const parley = async (...words: readonly string[]): Promise<Output> =>
      runCommand([...words, '--config', here('chat.config.mjs')], loadOptions)
    /** Runs the program in the folder of the configuration, to its end. */
    async function program(...words: readonly string[]): Promise<Output> {
      const path = compiledProgram('packages/core/src/command-line/parley.ts')
      const child = spawn(process.execPath, ['--enable-source-maps', path, ...words], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const [texts, errorTexts]: [string[], string[]] = [[], []]
      child.stdout.setEncoding('utf8').on('data', (part: string) => texts.push(part))
      child.stderr.setEncoding('utf8').on('data', (part: string) => errorTexts.push(part))
      const [exitCode] = (await once(child, 'close')) as [number]
      return { text: texts.join(''), errorText: errorTexts.join(''), exitCode }
    }
    /** The result of a command that must succeed, as JSON. */
    async function resultOf(...words: readonly string[]) {
      const { text, errorText, exitCode } = await parley(...words, '--json')
      assert.deepEqual([exitCode, errorText], [0, ''])
      return JSON.parse(text)
    }
    const userNames = async () => {
      const users = await resultOf('users')
      return users
        .filter((user: { isBot: boolean }) => !user.isBot)
        .map(({ externalId, isActive }: { externalId: string; isActive: boolean }) => [
          externalId,
          isActive,
        ])
    }

    it('prints the statements of an empty database, which bring it up to date', async () => {
      const first = await program('check')
      assert.equal(first.exitCode, 1)
      assert.match(first.text, /^Missing migrations: 0001-first-release\.\n`parley migrate`/)
      const refused = await parley('users')
      assert.equal(refused.exitCode, 1)
      assert.match(
        refused.errorText,
        /not up to date; call migrate\(\), or run `npx parley migrate`\. Missing/,
      )

      const { sql, missing } = await resultOf('sql')
      assert.deepEqual(missing, ['0001-first-release'])
      const plain = await program('sql')
      assert.equal(plain.text, `${sql}\n`)
      const knex = createKnex({ ...database.config, useNullAsDefault: true })
      for (const statement of sql.split(/;$/m)) {
        const text = statement.replace(/^\s*--.*$/gm, '').trim()
        if (text !== '') await knex.raw(text.replaceAll('?', '\\?'))
      }
      await knex.destroy()

      assert.deepEqual(await resultOf('check'), { isUpToDate: true, missing: [] })
      assert.deepEqual(await parley('sql'), { text: '', errorText: '', exitCode: 0 })
    })

    it('migrates an empty database, and a second time changes nothing', async () => {
      const other = await column.create()
      try {
        const text = JSON.stringify({ database: other.config, secret: 's'.repeat(32) })
        await configure('other.cjs', `module.exports = async () => (${text})`)

        const migrate = () => program('migrate', '--config', 'other.cjs')
        const done = { text: 'The tables are up to date.\n', errorText: '', exitCode: 0 }

        assert.deepEqual(await migrate(), done)
        assert.deepEqual(await migrate(), done)
        assert.deepEqual(
          await runCommand(['check', '--config', here('other.cjs')], loadOptions),
          done,
        )
      } finally {
        await other.drop()
      }
    })

    it('lists problems of the setup, then creates the organization that is missing', async () => {
      const before = await parley('doctor')
      assert.equal(before.exitCode, 1)
      assert.match(before.text, /^NO_ORGANIZATION: /m)

      const create = ['organizations', 'create', '--name', 'Shop', '--owner-id', '7']
      const incomplete = await parley(...create)
      assert.deepEqual(
        [incomplete.exitCode, incomplete.errorText],
        [2, '--owner-email is missing\n'],
      )
      create.push('--owner-email', 'ada@product.example', '--owner-name', 'Ada')
      assert.equal((await resultOf(...create)).created, true)
      assert.equal((await resultOf(...create)).created, false)

      const { problems } = JSON.parse((await parley('doctor', '--json')).text)
      assert.ok(!JSON.stringify(problems).includes('NO_ORGANIZATION'))
      const [organization] = await resultOf('organizations')
      assert.equal(organization.name, 'Shop')
      assert.match((await parley('organizations')).text, /^\d+\t-\tactive\tShop\n$/)
    })

    it('lists, deactivates, reactivates, signs out and exports users', async () => {
      const chat = createChatServer(options())
      await chat.start()
      const ben = { externalId: '9', email: 'ben@product.example', fullName: 'Ben Hall' }
      await chat.users.sync([ben])
      const { token } = await chat.users.createToken('9')
      const asBen = async () => {
        const headers = { authorization: `Bearer ${token}` }
        const url = 'http://127.0.0.1/api/v1/users/me'
        return (await chat.fetch(new Request(url, { headers }))).status
      }
      assert.equal(await asBen(), 200)

      assert.match((await parley('sessions', '9')).text, /^Ended/)
      // The running chat reads of it in the log.
      await until('the end of the token', async () => (await asBen()) === 401)
      await chat.close()
      await resultOf('users', 'deactivate', '9')
      assert.deepEqual(await userNames(), [
        ['7', true],
        ['9', false],
      ])
      const [, line = ''] = (await parley('users')).text
        .split('\n')
        .filter((one) => one.includes('@product'))
      assert.match(line, /^\d+\t9\t400\tdeactivated\tBen Hall\tben@product\.example$/)
      const [id] = line.split('\t')
      await resultOf('users', 'reactivate', `${id}`, '--chat-id')
      assert.deepEqual((await userNames())[1], ['9', true])

      const unknown = await parley('users', 'deactivate', '10')
      assert.equal(unknown.exitCode, 1)
      assert.match(unknown.errorText, /^No user has the id '10' in your product; `parley users`/)

      await resultOf('users', 'export', '9', here('ben.ndjson'))
      const records = (await readFile(join(folder, 'ben.ndjson'), 'utf8')).trim().split('\n')
      assert.equal(JSON.parse(records.at(-1) ?? '').type, 'end')
    })

    it('erases and deletes only with --yes', async () => {
      const refused = await parley('erase', '9')
      assert.deepEqual(refused, {
        text: '',
        errorText: 'This deletes the data of the user 9, finally. Nothing was done; add --yes\n',
        exitCode: 2,
      })
      assert.equal((await userNames()).length, 2)

      await resultOf('erase', '9', '--messages', 'delete', '--yes')

      assert.deepEqual((await userNames())[0], ['7', true])
      assert.ok(!JSON.stringify(await userNames()).includes('"9"'))
    })

    it('exports an organization into a file, and imports it after its deletion', async () => {
      const archive = here('shop.tar.gz')
      const { bytes } = await resultOf('export', archive)
      const again = await parley('export', archive, '--json')
      assert.equal(again.exitCode, 1)
      assert.deepEqual(JSON.parse(again.errorText), {
        error: { message: `The file ${archive} exists; --yes replaces it` },
      })
      assert.ok(bytes > 0)
      assert.equal((await parley('organizations', 'delete', '')).exitCode, 2)
      assert.equal((await resultOf('organizations')).length, 1)

      await resultOf('organizations', 'delete', '', '--yes')
      assert.deepEqual(await resultOf('organizations'), [])
      await resultOf('import', archive, '--subdomain', 'shop')

      const [organization] = await resultOf('organizations')
      assert.deepEqual([organization.name, organization.subdomain], ['Shop', 'shop'])
      await resultOf('organizations', 'deactivate', 'shop')
      assert.equal((await resultOf('organizations'))[0].isDeactivated, true)
      await resultOf('organizations', 'reactivate', 'shop')
      assert.equal((await resultOf('organizations'))[0].isDeactivated, false)
    })

    it('says what is wrong with a command line or a module of options', async () => {
      const wrong = async (words: readonly string[], message: RegExp) => {
        const { text, errorText, exitCode } = await runCommand(words, loadOptions)
        assert.deepEqual([text, exitCode], ['', 2])
        assert.match(errorText, message)
      }
      await configure('broken.mjs', 'export default {')

      await wrong(['migrat'], /^There is no command 'migrat'; `parley --help` lists all\n$/)
      await wrong(['check', '--jsn'], /Unknown option '--jsn'.*see `parley check --help`\n$/)
      await wrong(['erase'], /^parley erase USER \[options\]; not 0 arguments/)
      await wrong(
        ['check', '--config', here('none.js')],
        /^There is no file .*none\.js; --config names/,
      )
      await wrong(
        ['check', '--config', here('broken.mjs')],
        /broken\.mjs cannot be loaded: Unexpected/,
      )
      await configure('text.mjs', "export default 'sqlite'")
      await wrong(
        ['check', '--config', here('text.mjs')],
        /text\.mjs must export an object with `database`/,
      )
    })

    it('prints help for all commands, without options of the chat', async () => {
      const { text, exitCode } = await program('--help')
      assert.equal(exitCode, 0)
      const names = [...text.matchAll(/^ {2}([a-z]+(?: [a-z]+)?) {2,}/gm)].map(([, name]) => name)
      assert.ok(names.length >= 15, text)
      for (const name of ['check', 'erase', 'organizations create']) {
        const help = await runCommand([...name.split(' '), '--help'], loadOptions)
        assert.match(help.text, new RegExp(`^Usage: parley ${name} `))
        assert.match(help.text, /--config FILE/)
      }
    })
  })
}
