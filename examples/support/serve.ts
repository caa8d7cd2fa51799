import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

import type { ChatServer } from '@parley/core'
import { OrganizationFileError } from '@parley/core/import'

import { exitWith } from './arguments.js'

interface SampleUser {
  readonly email: string
  readonly api_key?: string
}

/**
 * Starts to listen and says where; with two users of the organization to try it with. Ends the
 * process with 1 if another program listens there.
 *
 * @returns the server's origin.
 */
export async function listen(
  server: Server,
  port: number,
  users: readonly SampleUser[],
): Promise<string> {
  // Longer than a client waits between two polls, so that it comes back on the same connection.
  server.keepAliveTimeout = 65_000
  server.listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') exitWith(1, `Port ${port} is in use; choose another with --port.`)
    if (code === 'EACCES')
      exitWith(1, `Port ${port} needs more rights; choose another with --port.`)
    throw error
  }
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  console.log(`Parley listens on ${origin}`)
  for (const { email, api_key } of users.slice(0, 2)) {
    console.log(`curl -u ${email}:${api_key} ${origin}/api/v1/users/me`)
  }
  return origin
}

/** Starts the chat. Ends the process with 1 if the database cannot be used. */
export async function startChat(chat: ChatServer): Promise<void> {
  try {
    await chat.start()
  } catch (error) {
    exitWith(1, `The chat cannot start on its database: ${(error as Error).message}`)
  }
}

const handOverMilliseconds = 500
const deadlineMilliseconds = 10_000

/**
 * Ends the process in good order on SIGTERM and SIGINT: waiting clients are answered first, and
 * requests on open connections are served until their clients have gone, or the deadline.
 */
export function closeOnSignal(server: Server, chat: ChatServer, more?: () => Promise<void>): void {
  let isClosing = false
  const close = async (): Promise<void> => {
    if (isClosing) return
    isClosing = true
    // From now on answers say `Connection: close`.
    await chat.drain()
    await sleep(handOverMilliseconds)
    const isOver = once(server, 'close')
    server.close()
    const deadline = new AbortController()
    await Promise.race([
      isOver,
      sleep(deadlineMilliseconds, undefined, { signal: deadline.signal }).catch(() => {}),
    ])
    deadline.abort()
    await chat.close()
    server.closeAllConnections()
    await more?.()
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void close())
}

/**
 * Creates the organization of the given file, or the sample, where the database has none. Ends the
 * process with 1 if the file cannot be used.
 */
export async function loadOrganization(
  chat: ChatServer,
  file: string | URL | undefined,
): Promise<{ readonly users: readonly SampleUser[] }> {
  const path = file ?? new URL('./sample-organization.json', import.meta.url)
  try {
    const organization = JSON.parse(await readFile(path, 'utf8')) as { users: SampleUser[] }
    await chat.organizations.load(organization)
    return organization
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const isWrong = error instanceof SyntaxError || error instanceof OrganizationFileError
    if (!isWrong && code !== 'ENOENT' && code !== 'EACCES') throw error
    exitWith(1, `The organization file ${String(path)} cannot be used: ${message}`)
  }
}
