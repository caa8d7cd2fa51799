import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'

import { everyDatabase } from '../support/host.js'

const program = fileURLToPath(new URL('./client-process.ts', import.meta.url))
/** Where the package can be found. */
const folder = fileURLToPath(new URL('../', import.meta.url))
/** Enough for a slow machine; an open handle keeps the process alive forever. */
const patienceMilliseconds = 60_000

/** What a process has printed, when it has ended by itself. */
async function outputOf(...program: readonly string[]): Promise<string> {
  const parameters = ['--conditions=@parley/source', '--import', 'tsx', ...program]
  const child = spawn(process.execPath, parameters, { cwd: folder })
  let printed = ''
  let complaints = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text))
  const patience = setTimeout(() => child.kill('SIGKILL'), patienceMilliseconds)
  const [exitCode] = (await once(child, 'close')) as [number | null]
  clearTimeout(patience)
  assert.equal(exitCode, 0, complaints || `it did not end by itself, after: ${printed}`)
  return printed
}

everyDatabase(
  'a process with clients',
  'express',
  (at) => {
    it('ends by itself when they are closed, and they share nothing', async () => {
      const users = [at.people.alice, at.people.bob].map(({ credentials }) => credentials)
      const output = await outputOf(program, at.host.origin, JSON.stringify(users))
      const { received, newGlobals } = JSON.parse(output)
      assert.deepEqual(received, [[at.people.alice.email], [at.people.bob.email]])
      assert.deepEqual(newGlobals, [])
    })
  },
  { resolveOrganization: undefined } as never,
)

it('a process without fetch and WebSockets can import the package, and make a client', async () => {
  const output = await outputOf(
    '--input-type=module',
    '--eval',
    `for (const name of ['fetch', 'WebSocket', 'FormData', 'Blob', 'File', 'navigator', 'Response']) {
      delete globalThis[name]
    }
    const { ChatClient } = await import('@parley/client')
    const client = new ChatClient({ url: 'https://product.example' })
    console.log(client.outbox.messages.length)`,
  )
  assert.equal(output, '0\n')
})

it('a process without `onError` gets what a listener has thrown as an uncaught exception', async () => {
  const output = await outputOf(
    '--input-type=module',
    '--eval',
    `process.once('uncaughtException', (error) => console.log(error.message))
    const { ChatClient } = await import('@parley/client')
    const client = new ChatClient({ url: 'https://product.example' })
    const stop = client.outbox.subscribe(() => {
      stop()
      throw new Error('of a listener')
    })
    client.outbox.send({ to: { direct: [1] }, content: 'x' })`,
  )
  assert.equal(output, 'of a listener\n')
})
