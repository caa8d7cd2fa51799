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
 * On the newest one: drivers of databases, servers and sockets, modules, processes and streams, and
 * the examples. On the one in between only what may differ from both sides: the native drivers under
 * the storage, and what is left of a chat that was closed. Rules, texts and permissions are the same
 * on every version.
 *
 * The driver of MySQL is JavaScript: a few files and an example run with it, the rest on SQLite.
 *
 * `pnpm check:packages --also-on-newest` runs the packed packages.
 */
const testsOf = (folder, names) =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => `test/${folder}/${name}`)
const mysqlTests = testsOf('storage', 'connections due-rows organization-file')
const storageTests = [
  ...mysqlTests,
  ...testsOf(
    'storage',
    `caller-checks commit-order group-commit interrupted-migrations leased-rows prepared-writes
    retries second-migration synchronous-drivers`,
  ),
]
const embeddingTests = testsOf(
  'embedding',
  `base-path calls-in-process clean-process consumers cross-origin fetch files http2 knex-copies
  koa-sessions loggers migrations mounting orchestrator organization-archive proxies readme recipes
  security-headers sessions socket-neighbors telemetry transactions two-servers upgrades webhooks`,
)
const versions = [
  { node: newestNode, tests: [...storageTests, ...embeddingTests], runsExamples: true },
  { node: middleNode, tests: [...storageTests, 'test/embedding/clean-process'] },
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
      environment: { ...environment, ...more },
    })
  await step(`Node ${node}: ${tests.length} groups of tests (SQLite)`, () =>
    run('run-tests.mjs', tests, { CHAT_TEST_DATABASES: 'sqlite' }),
  )
  await step(`Node ${node}: ${mysqlTests.join(' ')}`, () =>
    run('run-tests.mjs', mysqlTests, { CHAT_TEST_DATABASES: 'sqlite,mysql' }),
  )
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
