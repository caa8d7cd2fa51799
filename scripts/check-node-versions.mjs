import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

import { findMysqlServer, startPrivateMysql } from './private-mysql.mjs'
import { startGuard } from './process-guard.mjs'
import { root, runCommand } from './run-command.mjs'

/**
 * Runs a part of the checks on the other supported versions of Node; everything else runs on the
 * version that this is started with.
 *
 * On the newest one: whatever depends on the environment, which is storage, the ways of embedding,
 * the packed packages and the examples. On the one in between only what may differ from both
 * sides: the native drivers under the storage, and what is left of a chat that was closed.
 *
 * The driver of MySQL is JavaScript: a few files and an example run with it, the rest on SQLite.
 *
 * `pnpm check:node-versions [tests|checks]`: with a word only that half. Tests can run beside what
 * builds the packages, checks cannot, because they build them too.
 */
const mysqlTests = [
  'test/storage/connections',
  'test/storage/due-rows',
  'test/storage/organization-file',
]
const versions = [
  { node: '24.21.0', tests: ['test/storage', 'test/embedding'], checks: ['packages', 'examples'] },
  { node: '22.23.3', tests: ['test/storage', 'test/embedding/clean-process'], checks: [] },
]
const scripts = {
  packages: ['check-packages.mjs', '--runs-only'],
  examples: ['smoke-examples.mjs'],
}

const [half] = process.argv.slice(2)
const hasTests = half !== 'checks'
const hasChecks = half !== 'tests'
const guard = startGuard()
const folder = mkdtempSync(join(tmpdir(), 'parley-nodes-'))
guard.watchFolder(folder)
const failures = []
let mysql

async function step(title, action) {
  const started = Date.now()
  try {
    await action()
    console.log(`ok      ${title} (${Math.round((Date.now() - started) / 1000)} s)`)
    return true
  } catch (error) {
    failures.push(title)
    console.log(`FAILED  ${title}\n${error.message}`)
    return false
  }
}

/**
 * The package `node` holds the program itself, so nothing has to be downloaded from elsewhere.
 *
 * @returns a folder for `PATH` in which `node` is that version.
 */
async function install(version) {
  const project = join(folder, version)
  mkdirSync(join(project, 'bin'), { recursive: true })
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'one-node', private: true }))
  await runCommand('npm', ['install', '--no-audit', '--no-fund', `node@${version}`], {
    cwd: project,
    timeoutSeconds: 180,
  })
  const program = join(project, 'node_modules/node/bin/node')
  const printed = await runCommand(program, ['--version'])
  if (printed.trim() !== `v${version}`) throw new Error(`It says that it is ${printed}`)
  symlinkSync(program, join(project, 'bin/node'))
  return join(project, 'bin')
}

async function checkOn({ node, tests, checks }) {
  if (!hasTests && checks.length === 0) return
  let bin
  const isInstalled = await step(`Node ${node} installs`, async () => {
    bin = await install(node)
  })
  if (!isInstalled) return
  const environment = {
    // What the checks start themselves, such as pnpm, runs on that version as well.
    PATH: `${bin}${delimiter}${process.env.PATH}`,
    ...(mysql && { CHAT_TEST_MYSQL_URL: mysql.url }),
  }
  const run = (script, parameters = [], more = {}) =>
    runCommand(join(bin, 'node'), [join(root, 'scripts', script), ...parameters], {
      timeoutSeconds: 900,
      environment: { ...environment, ...more },
    })
  if (hasTests) {
    await step(`Node ${node}: ${tests.join(' ')} (SQLite)`, () =>
      run('run-tests.mjs', tests, { CHAT_TEST_DATABASES: 'sqlite' }),
    )
    await step(`Node ${node}: ${mysqlTests.join(' ')}`, () => run('run-tests.mjs', mysqlTests))
  }
  if (!hasChecks) return
  for (const check of checks) {
    const [script, ...parameters] = scripts[check]
    await step(`Node ${node}: ${check}`, () => run(script, parameters))
  }
}

try {
  if (!process.env.CHAT_TEST_MYSQL_URL && findMysqlServer()) mysql = await startPrivateMysql()
  for (const version of versions) await checkOn(version)
  if (failures.length > 0) {
    console.log(`\nFailed: ${failures.join(', ')}`)
    process.exitCode = 1
  }
} finally {
  await mysql?.stop()
  rmSync(folder, { recursive: true, force: true })
  guard.release()
}
