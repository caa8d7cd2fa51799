import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

import { installNode, middleNode, newestNode } from './install-node.mjs'
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
 * `pnpm check:packages --also-on-newest` runs the packed packages.
 */
const mysqlTests = [
  'test/storage/connections',
  'test/storage/due-rows',
  'test/storage/organization-file',
]
const versions = [
  { node: newestNode, tests: ['test/storage', 'test/embedding'], runsExamples: true },
  { node: middleNode, tests: ['test/storage', 'test/embedding/clean-process'] },
]

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

async function checkOn({ node, tests, runsExamples = false }) {
  let bin
  const isInstalled = await step(`Node ${node} installs`, async () => {
    bin = await installNode(folder, node)
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
  await step(`Node ${node}: ${tests.join(' ')} (SQLite)`, () =>
    run('run-tests.mjs', tests, { CHAT_TEST_DATABASES: 'sqlite' }),
  )
  await step(`Node ${node}: ${mysqlTests.join(' ')}`, () => run('run-tests.mjs', mysqlTests))
  if (runsExamples) await step(`Node ${node}: examples`, () => run('smoke-examples.mjs'))
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
