import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
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
 * What node is given to run tests, in the root folder of a work tree: tsx takes the tsconfig.json
 * of the working directory, and without it no decorators.
 */
export function nodeArguments(reporter) {
  return [
    '--conditions=@parley/source',
    '--import',
    'tsx',
    '--test',
    '--test-concurrency=2',
    `--test-reporter=${reporter}`,
  ]
}

/**
 * Deals test files out to processes.
 *
 * @param root absolute; `files` are relative to it.
 * @param drivers of SQLite besides the usual one.
 * @param watchFolder is told of a folder that has to go if `remove` is never called.
 * @returns what node has to run, one process each, and `remove` for afterwards.
 */
export function shareProcesses(root, files, drivers, watchFolder) {
  const isSharing = (file) => sharingFolders.some((folder) => file.startsWith(folder + sep))
  const hands = sharingFolders.flatMap((folder) =>
    deal(files.filter((file) => file.startsWith(folder + sep))),
  )
  const alone = files.filter((file) => !isSharing(file))
  const differing = files.filter((file) => driverFiles.includes(file))
  const driven = differing.length === 0 ? [] : drivers
  if (driven.length === 0 && hands.every((hand) => hand.length === 1)) {
    return { entries: [...hands.flat(), ...alone], remove: () => {} }
  }
  const folder = mkdtempSync(join(tmpdir(), 'parley-tests-'))
  watchFolder(folder)
  const shared = hands.map((hand, index) => {
    if (hand.length === 1) return hand[0]
    const entry = join(folder, `${index + 1}.mjs`)
    writeFileSync(entry, entryText(root, hand))
    return entry
  })
  const others = driven.map((driver) => {
    const entry = join(folder, `${driver.replace(':', '-')}.mjs`)
    const choice = `process.env.CHAT_TEST_SQLITE_DRIVER = ${JSON.stringify(driver)}\n`
    writeFileSync(entry, choice + entryText(root, differing))
    return entry
  })
  return {
    entries: [...shared, ...others, ...alone],
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Round and round, because files that follow each other are alike, and cost alike. */
function deal(files) {
  const count = Math.ceil(files.length / mostFilesPerProcess)
  return Array.from({ length: count }, (_, hand) =>
    files.filter((_file, index) => index % count === hand),
  )
}

/** A file that cannot be loaded fails alone. */
function entryText(root, files) {
  const list = files.map((file) => [file, pathToFileURL(join(root, file)).href])
  return `import { test } from 'node:test'

for (const [file, url] of ${JSON.stringify(list, null, 2)}) {
  await import(url).catch((error) =>
    test(file + ' can be loaded', () => {
      throw error
    }),
  )
}
`
}
