import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Whose files share processes. To start a process, load the product into it and start its servers
 * takes longer than the tests of most files do, and again while nothing of it is compiled yet.
 * Elsewhere tests are about processes themselves, or keep one busy for long.
 */
const sharingFolders = [join('test', 'conformance'), join('test', 'unit')]
/** So many that starting hardly counts, few enough that two processes end at about the same time. */
const mostFilesPerProcess = 8

/** In which the drivers of SQLite can differ: each runs them in a process of its own. */
export const driverFiles = [
  join('test', 'conformance', 'attachments.test.ts'),
  join('test', 'embedding', 'transactions.test.ts'),
  join('test', 'faults', 'commits.test.ts'),
  join('test', 'faults', 'unavailable.test.ts'),
  join('test', 'storage', 'connections.test.ts'),
  join('test', 'storage', 'due-rows.test.ts'),
  join('test', 'storage', 'organization-file.test.ts'),
  join('test', 'storage', 'synchronous-drivers.test.ts'),
]

/**
 * What a quick run leaves out: it takes minutes, and rarely fails where the rest does not. All of it
 * runs in continuous integration.
 */
const slowTests = [
  join('test', 'faults') + sep,
  join('test', 'model') + sep,
  join('test', 'embedding', 'readme.test.ts'),
  'fuzz',
]

/** What a quick run tests on every database: here they differ. All the rest runs on SQLite. */
const dialectTests = [join('test', 'storage') + sep, 'statements']

/** Each process keeps about a core busy, and a database server besides. */
const concurrency = Math.min(Math.max(availableParallelism(), 2), 8)

/** The files of a quick run. */
export function quickTests(files) {
  return files.filter((file) => !slowTests.some((part) => file.includes(part)))
}

/**
 * What node is given to run tests, in the root folder of a work tree: tsx takes the tsconfig.json
 * of the working directory, and without it no decorators.
 */
export function nodeArguments(reporter) {
  return [
    '--conditions=@parley/source',
    '--import',
    'tsx',
    '--test',
    `--test-concurrency=${concurrency}`,
    `--test-reporter=${reporter}`,
  ]
}

/**
 * Deals test files out to processes.
 *
 * @param root absolute; `files` are relative to it.
 * @param drivers of SQLite besides the usual one.
 * @param isQuick whether only the tests of the storage use other databases than SQLite.
 * @param watchFolder is told of a folder that has to go if `remove` is never called.
 * @returns what node has to run, one process each, and `remove` for afterwards.
 */
export function shareProcesses(root, files, { drivers, isQuick, watchFolder }) {
  const needsDatabases = (file) => dialectTests.some((part) => file.includes(part))
  const processes = groupsOf(files.filter((file) => !isQuick || needsDatabases(file))).map(
    (group) => ({ files: group, environment: {} }),
  )
  if (isQuick) {
    const environment = { CHAT_TEST_DATABASES: 'sqlite' }
    const others = groupsOf(files.filter((file) => !needsDatabases(file)))
    processes.unshift(...others.map((group) => ({ files: group, environment })))
  }
  const differing = files.filter((file) => driverFiles.includes(file))
  if (!isQuick && differing.length > 0) {
    for (const driver of drivers) {
      processes.push({ files: differing, environment: { CHAT_TEST_SQLITE_DRIVER: driver } })
    }
  }
  const isPlain = (process) =>
    process.files.length === 1 && Object.keys(process.environment).length === 0
  if (processes.every(isPlain)) {
    return { entries: processes.map((process) => process.files[0]), remove: () => {} }
  }
  const folder = mkdtempSync(join(tmpdir(), 'parley-tests-'))
  watchFolder(folder)
  const entries = processes.map((process, index) => {
    if (isPlain(process)) return process.files[0]
    const entry = join(folder, `${index + 1}.mjs`)
    writeFileSync(entry, entryText(root, process))
    return entry
  })
  return { entries, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Files that share a process, and files alone. */
function groupsOf(files) {
  const isIn = (file, folder) => file.startsWith(folder + sep)
  const shared = sharingFolders.flatMap((folder) =>
    deal(files.filter((file) => isIn(file, folder))),
  )
  const alone = files.filter((file) => !sharingFolders.some((folder) => isIn(file, folder)))
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
function entryText(root, { files, environment }) {
  const list = files.map((file) => [file, pathToFileURL(join(root, file)).href])
  return `import { test } from 'node:test'

Object.assign(process.env, ${JSON.stringify(environment)})

for (const [file, url] of ${JSON.stringify(list, null, 2)}) {
  await import(url).catch((error) =>
    test(file + ' can be loaded', () => {
      throw error
    }),
  )
}
`
}
