import { join, sep } from 'node:path'

import { findChromium } from './find-program.mjs'

/**
 * Whose files share processes. To start a process, load the product into it and start its servers
 * takes as long as the tests of most files do. Elsewhere tests are about processes themselves, or
 * keep one busy for long.
 */
const sharingPaths = [
  join('test', 'conformance') + sep,
  join('test', 'embedding') + sep,
  join('test', 'storage') + sep,
  join('test', 'client') + sep,
  // Files that are in one process take turns with the machine.
  join('test', 'web') + sep,
  // The short ones come last, so that all cores are busy to the end.
  join('test', 'architecture') + sep,
  join('test', 'unit') + sep,
]
/** Where tests wait for other processes a good part of their time. */
const waitingPaths = ['faults', 'redis', 'galera', 'web'].map((name) => join('test', name) + sep)
/** So many that starting hardly counts, few enough that two processes end at about the same time. */
const mostFilesPerProcess = 36

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
  join('test', 'embedding', 'orders-in-transactions.test.ts'),
  join('test', 'embedding', 'transactions.test.ts'),
  join('test', 'faults', 'commits.test.ts'),
  join('test', 'faults', 'unavailable.test.ts'),
  join('test', 'faults', 'unusable-files.test.ts'),
  join('test', 'storage', 'connections.test.ts'),
  join('test', 'storage', 'due-rows.test.ts'),
  join('test', 'storage', 'leased-rows.test.ts'),
  join('test', 'storage', 'organization-file.test.ts'),
  join('test', 'storage', 'synchronous-drivers.test.ts'),
]

/** What a quick run consists of: where a change most likely breaks something. */
const quickPaths = [
  join('test', 'architecture') + sep,
  join('test', 'conformance') + sep,
  join('test', 'unit') + sep,
  // One case of a process that is killed, and one of a browser.
  join('test', 'faults', 'processes.test.ts'),
  join('test', 'web', 'page.test.ts'),
]
const browserPath = join('test', 'web') + sep
/** Whose subject takes long, and has code of its own that other changes leave alone. */
const slowTests = [
  'fuzz',
  join('test', 'conformance', 'api-description.test.ts'),
  join('test', 'conformance', 'audiences-'),
  join('test', 'conformance', 'authentication-hashes.test.ts'),
  join('test', 'conformance', 'authentication-ldap.test.ts'),
  join('test', 'conformance', 'authentication-limits.test.ts'),
  join('test', 'conformance', 'authentication-passwords.test.ts'),
  join('test', 'conformance', 'data-exports.test.ts'),
  join('test', 'conformance', 'digests.test.ts'),
  join('test', 'conformance', 'events-lifespan.test.ts'),
  join('test', 'conformance', 'mail-notifications.test.ts'),
  join('test', 'conformance', 'message-retention.test.ts'),
  join('test', 'conformance', 'messages-answer-size.test.ts'),
  join('test', 'conformance', 'messages-large.test.ts'),
  join('test', 'conformance', 'push-delivery.test.ts'),
  join('test', 'conformance', 'statement-counts.test.ts'),
  join('test', 'unit', 'events', 'audience-cache.test.ts'),
  join('test', 'unit', 'markdown', 'limits.test.ts'),
  join('test', 'unit', 'resources', 'image-resizer.test.ts'),
  join('test', 'unit', 'resources', 'mail-corpus.test.ts'),
  join('test', 'unit', 'resources', 'password-hasher.test.ts'),
  join('test', 'unit', 'resources', 'slack-payloads.test.ts'),
]

/** The files of a quick run. */
export function quickTests(files) {
  const hasBrowser = findChromium() !== undefined
  const isSlow = (file) => slowTests.some((part) => file.includes(part))
  return files.filter(
    (file) =>
      quickPaths.some((path) => file.startsWith(path)) &&
      !isSlow(file) &&
      (hasBrowser || !file.startsWith(browserPath)),
  )
}

/**
 * Deals test files out to processes.
 *
 * @param files relative to the root of the work tree.
 * @param drivers of SQLite besides the usual one.
 * @param isQuick whether they run on SQLite alone, with one adapter per process.
 * @returns `{ files, environment, isWaiting }` for each process, those that mostly wait last.
 */
export function testProcesses(files, { drivers = [], isQuick = false } = {}) {
  const processes = isQuick ? quickProcesses(files) : allProcesses(files, drivers)
  const isWaiting = ({ files: [first] }) => waitingPaths.some((path) => first.startsWith(path))
  const marked = processes.map((process) => ({ ...process, isWaiting: isWaiting(process) }))
  return marked.toSorted((one, other) => one.isWaiting - other.isWaiting)
}

function allProcesses(files, drivers) {
  const preparing = files.filter((file) => preparedWriteFiles.includes(file))
  const differing = files.filter((file) => driverFiles.includes(file))
  const others = differing.length === 0 ? [] : drivers
  return [
    ...groupsOf(preparing).map((group) => ({
      files: group,
      environment: { CHAT_TEST_FORCE_REPREPARE: '1' },
    })),
    ...others.map((driver) => ({
      files: differing,
      environment: { CHAT_TEST_SQLITE_DRIVER: driver },
    })),
    ...groupsOf(files).map((group) => ({ files: group })),
  ]
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

/** Files alone, and files that share a process. */
function groupsOf(files) {
  const shared = sharingPaths.flatMap((path) => deal(files.filter((file) => file.startsWith(path))))
  const alone = files.filter((file) => !sharingPaths.some((path) => file.startsWith(path)))
  return [...alone.map((file) => [file]), ...shared]
}

/** Round and round, because files that follow each other are alike, and cost alike. */
function deal(files) {
  const count = Math.ceil(files.length / mostFilesPerProcess)
  return Array.from({ length: count }, (_, hand) =>
    files.filter((_file, index) => index % count === hand),
  )
}
