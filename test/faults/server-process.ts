import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { Client } from '../support/client.js'
import type { DatabaseColumn, TestDatabase } from '../support/databases.js'
import { compiledProgram } from '../support/programs.js'
import { within } from '../support/waiting.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const startSeconds = 60

/** One of the examples in a separate process, as an operator runs it. */
export class ServerProcess {
  output = ''
  origin = ''
  #child: ChildProcess | undefined

  constructor(
    private readonly example: 'express' | 'embedded-product',
    private readonly parameters: readonly string[],
  ) {}

  get port(): number {
    return Number(new URL(this.origin).port)
  }

  get exitCode(): number | null | undefined {
    return this.#child?.exitCode
  }

  /** Starts the process and waits until it listens; on the same port after a restart. */
  async start(): Promise<void> {
    const port = this.origin === '' ? 0 : this.port
    const child = spawn(
      process.execPath,
      [
        '--enable-source-maps',
        compiledProgram(`examples/${this.example}/server.ts`),
        '--port',
        String(port),
        ...this.parameters,
      ],
      { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] },
    )
    this.#child = child
    this.output = ''
    const address = new Promise<string>((resolve, reject) => {
      const look = (text: string): void => {
        this.output += text
        const found = /listens on (http:\/\/\S+)\n/.exec(this.output)
        if (found?.[1] !== undefined) resolve(found[1])
      }
      child.stdout.setEncoding('utf8').on('data', look)
      child.stderr.setEncoding('utf8').on('data', look)
      child.once('exit', () => reject(new Error(`The server ended:\n${this.output}`)))
    })
    const tooLate = new AbortController()
    this.origin = await Promise.race([
      address,
      sleep(startSeconds * 1000, undefined, { signal: tooLate.signal }).then(() => {
        throw new Error(`The server did not start:\n${this.output}`)
      }),
    ])
    tooLate.abort()
  }

  /** Kills the process with SIGKILL. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  /** Stops the process as a service manager does. */
  async stop(): Promise<void> {
    await this.#end('SIGTERM')
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const isGone = once(child, 'exit')
    child.kill(signal)
    await within('the end of a server process', isGone, {
      instead: () => this.output,
      seconds: startSeconds,
    })
  }
}

/** What a test of server processes needs: a database, an organization, and clients. */
export class Ground {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 100 })
  readonly #processes: ServerProcess[] = []

  private constructor(
    readonly names: readonly string[],
    private readonly database: TestDatabase,
    private readonly folder: string,
  ) {}

  static async create(column: DatabaseColumn, names: readonly string[]): Promise<Ground> {
    const folder = await mkdtemp(join(tmpdir(), 'parley-faults-'))
    const users = names.map((name, index) => ({
      id: index + 1,
      email: emailOf(name),
      full_name: `User ${name}`,
      api_key: apiKeyOf(name),
    }))
    const channel = { id: 1, name: 'all', subscribers: users.map(({ id }) => id) }
    const file = { organization: { name: 'Faults' }, users, channels: [channel] }
    await writeFile(join(folder, 'organization.json'), JSON.stringify(file))
    return new Ground(names, await column.create(), folder)
  }

  /** Another server process on the same database; not started yet. */
  server(): ServerProcess {
    const { url } = this.database
    const server = new ServerProcess('express', [
      '--database',
      url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : url,
      '--organization',
      join(this.folder, 'organization.json'),
      '--rate-limits',
      'off',
    ])
    this.#processes.push(server)
    return server
  }

  client(server: ServerProcess, name: string): Client {
    return new Client(
      { origin: server.origin, agent: this.#agent, subdomain: '' },
      { email: emailOf(name), apiKey: apiKeyOf(name) },
      this.names.indexOf(name) + 1,
      name,
    )
  }

  async remove(): Promise<void> {
    this.#agent.destroy()
    for (const server of this.#processes) await server.kill()
    await this.database.drop()
    await rm(this.folder, { recursive: true, force: true })
  }
}

/** Retries until there is a response, for clients whose server restarts. */
export async function untilAnswered<Result>(ask: () => Promise<Result>): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await ask()
    } catch (error) {
      if (attempt >= 600) throw error
      await sleep(50)
    }
  }
}

function emailOf(name: string): string {
  return `${name}@faults.example`
}

function apiKeyOf(name: string): string {
  return `key${name}`.padEnd(32, 'k')
}
