/**
 * Runs the published client `zulip-js` unchanged, for `zulip-js.test.ts`: its event loop never
 * ends, so it needs a process that can be killed.
 *
 * Receives `{ id, path, parameters }`, such as `messages.send`, and sends `{ id, result }`. Every
 * event of the client's own loop is sent as `{ event }`.
 */
import { createRequire } from 'node:module'

interface Command {
  readonly id: number
  readonly path: string
  readonly parameters: unknown
}

type Call = (...parameters: unknown[]) => Promise<unknown>

// The package has no types, and is CommonJS.
const zulip = createRequire(import.meta.url)('zulip-js') as Call
const client = (await zulip(JSON.parse(process.argv[2] ?? ''))) as Readonly<Record<string, unknown>>

async function answer({ id, path, parameters }: Command): Promise<void> {
  if (path === 'callOnEachEvent') {
    const loop = client[path] as Call
    void loop((event: unknown) => process.send?.({ event }), parameters)
    return
  }
  const call = path
    .split('.')
    .reduce((place: unknown, name) => (place as Record<string, unknown>)[name], client) as Call
  process.send?.({ id, result: await call(parameters) })
}

process.on('message', (command: Command) => void answer(command))
process.send?.({ id: 0, result: null })
