import { readFile, writeFile } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'

import { stopDatabases } from './harness/databases.js'
import type { Row } from './harness/row.js'
import { comparisonText, lineOf, tableText, type Line } from './harness/table.js'
import { blocks } from './rows/blocks.js'
import { cluster } from './rows/cluster.js'
import { flagsNarrow } from './rows/flags-narrow.js'
import { flood } from './rows/flood.js'
import { hostRoute } from './rows/host-route.js'
import { idleConsumer } from './rows/idle-consumer.js'
import { idlePoll } from './rows/idle-poll.js'
import { idleQueue } from './rows/idle-queue.js'
import { importAndStart } from './rows/import.js'
import { inProcessCall } from './rows/in-process-call.js'
import { join } from './rows/join.js'
import { longPoll } from './rows/long-poll.js'
import { oneCall } from './rows/one-call.js'
import { organizationMemory } from './rows/organization-memory.js'
import { presence } from './rows/presence.js'
import { register } from './rows/register.js'
import { sendAlone } from './rows/send-alone.js'
import { sendMessage } from './rows/send-message.js'
import { sendToMany } from './rows/send-to-many.js'
import { socketFanOut } from './rows/socket-fan-out.js'
import { syncUsers } from './rows/sync-users.js'
import { telemetryRows } from './rows/telemetry.js'
import { topicFetch } from './rows/topic-fetch.js'

const rows: readonly Row[] = [
  socketFanOut,
  longPoll,
  idlePoll,
  oneCall,
  sendAlone,
  sendMessage,
  sendToMany,
  join,
  topicFetch,
  register,
  blocks,
  cluster,
  presence,
  flagsNarrow,
  idleQueue,
  idleConsumer,
  organizationMemory,
  inProcessCall,
  importAndStart,
  syncUsers,
  hostRoute,
  flood,
  ...telemetryRows,
]

const { values, positionals } = parseArgs({
  options: { json: { type: 'string' }, compare: { type: 'boolean' } },
  allowPositionals: true,
})
if (values.compare === true) {
  const [before, after] = await Promise.all(positionals.map(readLines))
  if (before === undefined || after === undefined || positionals.length !== 2) {
    console.error('--compare takes two files that --json has written')
    process.exit(1)
  }
  console.log(comparisonText(before, after))
  process.exit(0)
}
const wanted = rows.filter(
  ({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)),
)
if (wanted.length === 0) {
  console.error(`No row is named so. There are:\n${rows.map(({ name }) => `  ${name}`).join('\n')}`)
  process.exit(1)
}

console.log(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'processor'}, ` +
    `load ${loadavg()[0]?.toFixed(1)}`,
)
const lines: Line[] = []
const started = performance.now()
try {
  for (const row of wanted) {
    const rowStarted = performance.now()
    process.stderr.write(`${row.name} … `)
    lines.push(...(await row.run()).map(lineOf))
    process.stderr.write(`${((performance.now() - rowStarted) / 1000).toFixed(0)} s\n`)
  }
} finally {
  await stopDatabases()
  if (lines.length > 0) console.log(tableText(lines))
}
console.log(`${((performance.now() - started) / 1000).toFixed(0)} s in all`)
if (values.json !== undefined) {
  await writeFile(
    values.json,
    `${JSON.stringify({ node: process.version, lines }, undefined, 2)}\n`,
  )
}

async function readLines(file: string): Promise<readonly Line[]> {
  const { lines } = JSON.parse(await readFile(file, 'utf8')) as { lines: readonly Line[] }
  return lines
}
