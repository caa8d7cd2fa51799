import { readFile } from 'node:fs/promises'

import { createChatServer, type DatabaseOption } from '@parley/core'

// Imports an archive of which the last bytes never arrive.
const [options = '', file = ''] = process.argv.slice(2)
// The test has written it.
const database = JSON.parse(options) as DatabaseOption
const chat = createChatServer({ database, resolveOrganization: () => '' })
await chat.start()
const archive = await readFile(file)

async function* unfinished(): AsyncGenerator<Uint8Array> {
  yield archive.subarray(0, -100)
  process.stdout.write('waits for the rest\n')
  await new Promise((resolve) => setTimeout(resolve, 600_000))
}

await chat.organizations.import(unfinished())
