import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import type { Knex } from 'knex'

import { compiledProgram } from '../support/programs.js'
import { until } from '../support/waiting.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const startSeconds = 120

export interface ConnectedProcessOptions {
  readonly database: Knex.Config
  readonly redisPort: number
  /** By how much its clock is ahead. */
  readonly clockOffsetSeconds: number
  /** How many seconds its clock goes forward in one. */
  readonly clockSpeed: number
  /** When the fast clocks were right, in UNIX milliseconds. */
  readonly clockStart: number
}

/** A chat process, which tests stop, continue, kill and start again. */
export class ConnectedProcess {
  origin = ''
  /** What all of its runs have printed. */
  output = ''
  #child: ChildProcess | undefined

  constructor(private readonly options: ConnectedProcessOptions) {}

  /** How often each text was logged, with its level. */
  get logged(): Map<string, number> {
    const counts = new Map<string, number>()
    for (const [, text = ''] of this.output.matchAll(/^log (.+)$/gm)) {
      counts.set(text, (counts.get(text) ?? 0) + 1)
    }
    return counts
  }

  async start(): Promise<void> {
    const child = spawn(
      process.execPath,
      [
        '--enable-source-maps',
        compiledProgram('test/faults/connected-process.ts'),
        JSON.stringify(this.options),
      ],
      { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] },
    )
    this.#child = child
    let printed = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text
        this.output += text
      })
    }
    const look = (): string | undefined => {
      if (child.exitCode !== null) throw new Error(`The process has ended:\n${printed}`)
      return /listens on (http:\/\/\S+)\n/.exec(printed)?.[1]
    }
    this.origin = await until('a process to listen', look, {
      instead: () => printed,
      seconds: startSeconds,
    })
  }

  /** Stops it as if its machine did not get on; what it has opened stays open. */
  pause(): void {
    this.#child?.kill('SIGSTOP')
  }

  continue(): void {
    this.#child?.kill('SIGCONT')
  }

  /** Ends it with SIGKILL. */
  async kill(): Promise<void> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const isGone = once(child, 'exit')
    child.kill('SIGKILL')
    await isGone
  }
}
