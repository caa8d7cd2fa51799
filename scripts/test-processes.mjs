import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join, sep } from 'node:path'

import { compileTests } from './compile-tests.mjs'

/**
 * Whose files share processes. To start a process, load the product into it and start its servers
 * takes as long as the tests of most files do. Elsewhere tests are about processes themselves, or
 * keep one busy for long.
 */
const sharingPaths = [
  join('test', 'conformance') + sep,
  join('test', 'unit') + sep,
  join('test', 'architecture') + sep,
  join('test', 'embedding') + sep,
  join('test', 'storage') + sep,
  // Files that are in one process take turns with the machine.
  join('test', 'web') + sep,
]
/** So many that starting hardly counts, few enough that two processes end at about the same time. */
const mostFilesPerProcess = 16

/**
 * Which run once more with everything prepared again in the transaction, as after a change by
 * another process.
 */
const preparedWriteFiles = [
  join('test', 'conformance', 'messages-send-events.test.ts'),
  join('test', 'conformance', 'messages-send-permissions.test.ts'),
  join('test', 'conformance', 'messages-send.test.ts'),
  join('test', 'conformance', 'outgoing-webhooks.test.ts'),
  join('test', 'conformance', 'reminders.test.ts'),
  join('test', 'conformance', 'scheduled-messages.test.ts'),
  join('test', 'faults', 'commits.test.ts'),
  join('test', 'faults', 'processes.test.ts'),
  join('test', 'model', 'queue-visibility.test.ts'),
  join('test', 'model', 'register-and-events.test.ts'),
  join('test', 'storage', 'caller-checks.test.ts'),
  join('test', 'storage', 'prepared-deliveries.test.ts'),
  join('test', 'storage', 'prepared-writes.test.ts'),
]

/** In which the drivers of SQLite can differ: each runs them in a process of its own. */
export const driverFiles = [
  join('test', 'conformance', 'attachments.test.ts'),
  join('test', 'conformance', 'messages-search.test.ts'),
  join('test', 'embedding', 'transactions.test.ts'),
  join('test', 'faults', 'commits.test.ts'),
  join('test', 'faults', 'unavailable.test.ts'),
  join('test', 'storage', 'connections.test.ts'),
  join('test', 'storage', 'due-rows.test.ts'),
  join('test', 'storage', 'leased-rows.test.ts'),
  join('test', 'storage', 'organization-file.test.ts'),
  join('test', 'storage', 'synchronous-drivers.test.ts'),
]

/**
 * What a quick run leaves out: it takes long, often because it starts processes of its own, and
 * rarely fails where the rest does not. All of it runs in continuous integration.
 */
const slowTests = [
  join('test', 'faults') + sep,
  join('test', 'model') + sep,
  // They need Galera and Redis.
  join('test', 'galera') + sep,
  join('test', 'replica') + sep,
  join('test', 'redis') + sep,
  join('test', 'web') + sep,
  // They need a browser.
  join('test', 'client', 'browser-sessions.test.ts'),
  join('test', 'client', 'in-browser.test.ts'),
  join('test', 'client', 'bad-network.test.ts'),
  join('test', 'client', 'outbox-cuts.test.ts'),
  join('test', 'client', 'store-model.test.ts'),
  join('test', 'conformance', 'statement-counts.test.ts'),
  join('test', 'embedding', 'calls-of-all-operations.test.ts'),
  join('test', 'embedding', 'clean-process.test.ts'),
  join('test', 'embedding', 'embedded-product.test.ts'),
  join('test', 'embedding', 'readme.test.ts'),
  join('test', 'embedding', 'recipes.test.ts'),
  join('test', 'embedding', 'zulip-js.test.ts'),
  join('test', 'storage', 'interrupted-migrations.test.ts'),
  join('test', 'storage', 'message-plans.test.ts'),
  join('test', 'storage', 'message-statements.test.ts'),
  'fuzz',
]

/** One more than cores: a process that waits for a browser, a database or the time leaves its core to others. */
const concurrency = Math.min(availableParallelism() + 1, 8)

/** The files of a quick run. */
export function quickTests(files) {
  return files.filter((file) => !slowTests.some((part) => file.includes(part)))
}

/** What node is given to run tests, in the root folder of a work tree. */
export function nodeArguments(reporter) {
  return [
    '--conditions=@parley/source',
    '--enable-source-maps',
    '--test',
    `--test-concurrency=${concurrency}`,
    `--test-reporter=${reporter}`,
  ]
}

/**
 * Deals test files out to processes, and compiles them.
 *
 * @param root absolute; `files` are relative to it.
 * @param drivers of SQLite besides the usual one.
 * @param isQuick whether they run on SQLite alone, with one adapter per process.
 * @param watchFolder is told of a folder that has to go if `remove` is never called.
 * @returns what node has to run, one process each, and `remove` for afterwards.
 */
export async function prepareProcesses(root, files, { drivers, isQuick, watchFolder }) {
  const processes = isQuick ? quickProcesses(files) : allProcesses(files, drivers)
  const texts = processes.map((process, index) => {
    // Node runs them in alphabetical order. The name is in its message if the process itself fails.
    const name = `${String(index + 1).padStart(3, '0')}-${titleOf(process.files)}`
    return [name, entryText(process)]
  })
  const folder = mkdtempSync(join(tmpdir(), 'parley-tests-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  watchFolder(folder)
  try {
    await compileTests(realpathSync(root), Object.fromEntries(texts), folder)
  } catch (error) {
    remove()
    throw error
  }
  return { entries: texts.map(([name]) => join(folder, `${name}.mjs`)), remove }
}

function allProcesses(files, drivers) {
  const processes = groupsOf(files).map((group) => ({ files: group, environment: {} }))
  const preparing = files.filter((file) => preparedWriteFiles.includes(file))
  if (preparing.length > 0) {
    processes.push({ files: preparing, environment: { CHAT_TEST_FORCE_REPREPARE: '1' } })
  }
  const differing = files.filter((file) => driverFiles.includes(file))
  if (differing.length === 0) return processes
  const others = drivers.map((driver) => ({
    files: differing,
    environment: { CHAT_TEST_SQLITE_DRIVER: driver },
  }))
  return [...processes, ...others]
}

/** On SQLite alone. Adapters alternate, so that each runs half of the cases. */
function quickProcesses(files) {
  return groupsOf(files).map((group, index) => ({
    files: group,
    environment: {
      CHAT_TEST_DATABASES: 'sqlite',
      CHAT_TEST_ADAPTER: index % 2 === 0 ? 'express' : 'koa',
    },
  }))
}

/** What the files have in common: their path, or the folder of all of them. */
function titleOf([first, ...others]) {
  const path = others.length === 0 ? first.replace(/\.test\.ts$/, '') : dirname(first)
  return path.replaceAll(/[^a-z0-9]+/gi, '-')
}

/** Files that share a process, and files alone. */
function groupsOf(files) {
  const shared = sharingPaths.flatMap((path) => deal(files.filter((file) => file.startsWith(path))))
  const alone = files.filter((file) => !sharingPaths.some((path) => file.startsWith(path)))
  return [...shared, ...alone.map((file) => [file])]
}

/** Round and round, because files that follow each other are alike, and cost alike. */
function deal(files) {
  const count = Math.ceil(files.length / mostFilesPerProcess)
  return Array.from({ length: count }, (_, hand) =>
    files.filter((_file, index) => index % count === hand),
  )
}

/** A file that cannot be loaded fails alone. */
function entryText({ files, environment }) {
  const imports = files.map((file) => {
    const path = JSON.stringify(`./${file.replaceAll(sep, '/')}`)
    return `await import(${path}).catch(failToLoad(${path}))`
  })
  return `import { test } from 'node:test'

Object.assign(process.env, ${JSON.stringify(environment)})

const failToLoad = (path) => (error) =>
  test(path + ' can be loaded', () => {
    throw error
  })

${imports.join('\n')}
`
}
