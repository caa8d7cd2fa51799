/**
 * A process that uses a chat server and closes it, with traps for everything that a library must
 * not do in the process of an application. Prints one line of JSON with the results; started by
 * `guest.test.ts`.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { attachUpgrade, createChatServer } from '@parley/core'
import { createChatMiddleware } from '@parley/express'
import express from 'express'
import { WebSocket } from 'ws'

import { databaseConfig } from '../../examples/support/arguments.js'

const traps: string[] = []
const originalWrite = process.stdout.write.bind(process.stdout)
for (const stream of ['stdout', 'stderr'] as const) {
  process[stream].write = ((text: string) => {
    traps.push(`${stream}: ${text}`)
    return true
  }) as typeof process.stdout.write
}
const resourcesBefore = process.getActiveResourcesInfo()
const signalsBefore = process.eventNames().map(String)
const globalsBefore = new Set(Object.getOwnPropertyNames(globalThis))
const environment = process.env
const databaseUrl = process.argv[2] ?? ''
process.env = new Proxy(environment, {
  get(target, name) {
    // Dependencies read their own debugging switches; the chat's own code reads no variables.
    const caller = new Error('trace').stack?.split('\n')[2] ?? ''
    if (/packages\/(core|express|koa)\//.test(caller)) traps.push(`env ${String(name)}: ${caller}`)
    return Reflect.get(target, name) as unknown
  },
})

const chat = createChatServer({
  database: databaseConfig(databaseUrl),
  identify: () => ({ externalId: '7', email: 'ada@product.example', fullName: 'Ada' }),
})
await chat.start()
await chat.organizations.load({
  organization: { name: 'Guests' },
  users: [{ id: 1, email: 'olga@product.example', full_name: 'Olga Product', role: 100 }],
})
const server = createServer(express().use(createChatMiddleware(chat)))
attachUpgrade(server, chat)
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const address = `127.0.0.1:${(server.address() as AddressInfo).port}`

const origin = `http://${address}`
const poll = fetch(`${origin}/api/v1/events`, { headers: { origin } })
const socket = new WebSocket(`ws://${address}/api/v1/events`, { origin })
await new Promise<void>((resolve) => socket.once('open', resolve))
const ada = chat.as({ externalId: '7' })
await ada.api.sendMessage({ type: 'direct', to: [await ada.id()], content: 'hello' })
await ada.api.registerQueue({})
const closeCode = new Promise<number>((resolve) => socket.once('close', resolve))
const { events } = (await (await poll).json()) as { events: unknown[] }
await (await fetch(`http://${address}/api/v1/messages`, { method: 'POST' })).text()

const waiting = fetch(`${origin}/api/v1/events`, { headers: { origin } }).then((response) =>
  response.json(),
)
while ((await chat.health()).openQueues < 3) await new Promise((resolve) => setImmediate(resolve))
await chat.close()
await chat.close()
const lastAnswer = (await waiting) as { result: string; events: unknown[] }
const isClosed = new Promise<void>((resolve) => server.close(() => resolve()))
server.closeAllConnections()
await isClosed
const code = await closeCode

/** The resources that are in `after` only; the loader's resources in `before` may have ended. */
function without(after: readonly string[], before: readonly string[]): string[] {
  const known = [...before]
  return after.filter((resource) => {
    const index = known.indexOf(resource)
    if (index !== -1) known.splice(index, 1)
    return index === -1
  })
}

// Emitted when nothing keeps the process alive: with an open handle, it is never emitted.
process.once('beforeExit', () => {
  originalWrite(
    `${JSON.stringify({
      traps,
      eventCount: events.length,
      closeCode: code,
      lastAnswer: { result: lastAnswer.result, events: lastAnswer.events },
      newResources: without(process.getActiveResourcesInfo(), resourcesBefore),
      newSignals: process
        .eventNames()
        .map(String)
        .filter((name) => name !== 'beforeExit' && !signalsBefore.includes(name)),
      newGlobals: Object.getOwnPropertyNames(globalThis).filter((name) => !globalsBefore.has(name)),
    })}\n`,
  )
})
