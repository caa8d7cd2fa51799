import { writeFile } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'

import { stopDatabases } from './harness/databases.js'
import type { Row } from './harness/row.js'
import { lineOf, tableText, type Line } from './harness/table.js'
import { flagsNarrow } from './rows/flags-narrow.js'
import { hostRoute } from './rows/host-route.js'
import { idlePoll } from './rows/idle-poll.js'
import { idleQueue } from './rows/idle-queue.js'
import { longPoll } from './rows/long-poll.js'
import { presence } from './rows/presence.js'
import { register } from './rows/register.js'
import { sendMessage } from './rows/send-message.js'
import { sendToMany } from './rows/send-to-many.js'
import { socketFanOut } from './rows/socket-fan-out.js'
import { topicFetch } from './rows/topic-fetch.js'

const rows: readonly Row[] = [
  socketFanOut,
  longPoll,
  idlePoll,
  sendMessage,
  sendToMany,
  topicFetch,
  register,
  presence,
  flagsNarrow,
  idleQueue,
  hostRoute,
]

const { values, positionals } = parseArgs({
  options: { json: { type: 'string' } },
  allowPositionals: true,
})
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
