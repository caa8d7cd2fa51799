import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { compileTests } from '../../scripts/compile-tests.mjs'
import { freePort } from '../../scripts/ports.mjs'
import { allDatabaseColumns, reportSkippedColumns } from '../support/databases.js'
import { within } from '../support/waiting.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** To compile the product as `pnpm start` does takes a quarter of a minute, and more on a busy machine. */
const patienceSeconds = 180

interface Block {
  readonly language: string
  readonly text: string
}

function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(
    ([, language = '', text = '']) => ({
      language,
      text,
    }),
  )
}

const blocks = blocksOf(readFileSync(join(root, 'README.md'), 'utf8'))
const [start, printed, wait, send, inExpress, test, ...others] = blocks as [
  Block,
  Block,
  Block,
  Block,
  Block,
  Block,
]

/** The first complete program of a page. */
function programOf(page: string): Block {
  const found = blocksOf(readFileSync(join(root, 'docs', page), 'utf8')).find(
    ({ language, text }) => language === 'ts' && text.includes('createServer('),
  )
  assert.ok(found, `docs/${page} has no program`)
  return found
}

const firstPage = 'docs/get-started.md'

/** The block of `curl` commands that get-started.md shows after its program. */
function requestsOf(page: string): Block[] {
  if (!page.startsWith(firstPage)) return []
  const found = blocksOf(readFileSync(join(root, firstPage), 'utf8')).filter(
    ({ language, text }) => language === 'sh' && text.includes('curl'),
  )
  assert.equal(found.length, 1)
  return found
}

const testPage = 'testing-your-integration.md'
const servers = allDatabaseColumns().filter(({ name }) => name !== 'sqlite')
const onServer = (name: string): string => `${firstPage} on ${name}`

/** The program of get-started.md with the `database` that the page names for a server. */
function programOn(name: string): Block {
  const [, option] =
    new RegExp(`const on${name} = (.*)`, 'i').exec(readFileSync(join(root, firstPage), 'utf8')) ??
    []
  assert.ok(option, `${firstPage} has no database of ${name}`)
  const { language, text } = programOf('get-started.md')
  const onOther = text.replace(/database: .*,/, `database: ${option},`)
  assert.notEqual(onOther, text)
  return { language, text: onOther }
}

const programs: Readonly<Record<string, Block>> = {
  'README.md': inExpress,
  [firstPage]: programOf('get-started.md'),
  'docs/mounting.md': programOf('mounting.md'),
  ...Object.fromEntries(servers.map(({ name }) => [onServer(name), programOn(name)])),
}

reportSkippedColumns()

const nameOf = (page: string): string => page.replaceAll(/\W/g, '-')

const { scripts, packageManager } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
) as { scripts: Record<string, string>; packageManager: string }

/** A process whose output can be awaited; ended by `end`. */
class Running {
  output = ''
  readonly #child: ChildProcess

  constructor(command: string, parameters: readonly string[], folder: string) {
    this.#child = spawn(command, parameters, {
      cwd: folder,
      // Without it, a test runner would believe that it is part of this test.
      env: { ...process.env, NODE_TEST_CONTEXT: undefined },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text))
    }
  }

  async until(pattern: RegExp): Promise<RegExpExecArray> {
    for (let tenth = 0; tenth < patienceSeconds * 10; tenth += 1) {
      const found = pattern.exec(this.output)
      if (found !== null) return found
      if (this.#child.exitCode !== null && tenth > 0) break
      await sleep(100)
    }
    throw new Error(`${pattern} was not printed:\n${this.output}`)
  }

  async ended(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      await within('the end of a program', once(this.#child, 'exit'), {
        instead: () => this.output,
      })
    }
  }

  async end(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.ended()
  }
}

describe('the README and the pages of docs/', () => {
  let folder: string
  const running: Running[] = []
  const drops: (() => Promise<void>)[] = []
  const run = (command: string, parameters: readonly string[], at = folder): Running => {
    const one = new Running(command, parameters, at)
    running.push(one)
    return one
  }

  const ports = new Map<string, number>()
  const compiled = (page: string): string => join(folder, `${nameOf(page)}.mjs`)

  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-readme-')))
    await symlink(join(root, 'test/node_modules'), join(folder, 'node_modules'))
    const urls = new Map<string, string>()
    for (const column of servers) {
      const { url, drop } = await column.create()
      urls.set(onServer(column.name), url)
      drops.push(drop)
    }
    const sources = new Map([[testPage, programOf(testPage).text]])
    for (const [page, { text }] of Object.entries(programs)) {
      const port = await freePort()
      ports.set(page, port)
      const source = text
        .replace('3000', String(port))
        .replaceAll('product.sqlite', join(folder, `${nameOf(page)}.sqlite`))
        .replace(/\w+:\/\/chat@db\.example\/product/, urls.get(page) ?? '')
      sources.set(page, `${source}console.log('it listens')\n`)
    }
    const files = await Promise.all(
      [...sources].map(async ([page, source]) => {
        const file = join(folder, `${nameOf(page)}.mts`)
        await writeFile(file, source)
        return file
      }),
    )
    // All at once: tsx would compile the whole product for each of them.
    await compileTests(await realpath(root), files, folder)
  })
  after(async () => {
    for (const one of running) await one.end()
    for (const drop of drops) await drop()
    await rm(folder, { recursive: true, force: true })
  })

  it('contains commands that exist, with the package manager version of the workspace', () => {
    const version = /^pnpm@([\d.]+)/.exec(packageManager)?.[1]

    assert.equal(start.text, `npx -y pnpm@${version} start\n`)
    assert.equal(test.text, `npx -y pnpm@${version} test\n`)
    assert.ok(scripts['start']?.startsWith('node '))
    assert.ok(scripts['test']?.startsWith('node '))
    assert.deepEqual(others, [], 'every block is tested below')
  })

  it('contains the output of the first command, and calls that work', async () => {
    const [command = '', ...parameters] = (scripts['start'] ?? '').split(' ')
    const database = join(folder, 'sample.sqlite')
    const server = run(command, [...parameters, '--port', '0', '--database', database], root)
    const [, origin = ''] = await server.until(
      /listens on (http:\S+)\n(curl .*\n){2}The chat is at .*\n/,
    )
    const here = (text: string): string => text.replaceAll('http://127.0.0.1:9991', origin)

    assert.equal(server.output, here(printed.text))
    const waiting = run('sh', ['-c', here(wait.text)])
    await waiting.until(/Ada waits on queue \S+\n/)
    const sending = run('sh', ['-c', here(send.text)])
    await Promise.all([waiting.ended(), sending.ended()])

    assert.match(sending.output, /^\{"result":"success","msg":"","id":\d+/)
    const answer = JSON.parse(waiting.output.split('\n')[1] ?? '') as {
      events: { type: string; message: { content: string; subject: string } }[]
    }
    assert.deepEqual(
      answer.events.map(({ type, message }) => [type, message.subject, message.content]),
      [['message', 'lunch', 'Soup **or** salad?']],
    )
    for (const line of printed.text.split('\n').filter((one) => one.startsWith('curl'))) {
      const call = run('sh', ['-c', here(line).replace('curl', 'curl -s')])
      await call.ended()
      assert.equal((JSON.parse(call.output) as { result: string }).result, 'success')
    }
  })

  for (const page of Object.keys(programs)) {
    it(`mounts the chat with the program of ${page}`, async () => {
      const port = ports.get(page)
      const server = run(process.execPath, [compiled(page)])
      await server.until(/it listens/)
      const call = async (path: string, cookie: string) =>
        (await fetch(`http://127.0.0.1:${port}${path}`, { headers: { cookie } })).json()

      const me = (await call('/api/v1/users/me', 'session=1')) as { full_name: string }
      const unauthorized = (await call('/api/v1/users/me', 'session=none')) as { code: string }
      assert.equal(me.full_name, 'Ada Byron')
      assert.equal(unauthorized.code, 'UNAUTHORIZED')
      for (const shown of requestsOf(page)) {
        const calls = run('sh', ['-c', shown.text.replaceAll('3000', String(port))])
        await calls.ended()
        assert.equal(calls.output.match(/"result":"success"/g)?.length, 3, calls.output)
      }
    })
  }

  it('has a page about tests, whose tests pass', async () => {
    const tests = run(process.execPath, ['--test', compiled(testPage)])
    await tests.ended()

    assert.match(tests.output, /^(?:#|ℹ) pass 2$/m)
    assert.match(tests.output, /^(?:#|ℹ) fail 0$/m)
  })
})
