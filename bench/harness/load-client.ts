import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'

import type { LoadTasks, TaskName, TaskReply } from '../load/tasks.js'
import type { CleanUp } from './clean-up.js'

const startScript = fileURLToPath(new URL('../load/load-process.ts', import.meta.url))

/** A process of its own that plays the clients, so that their work is not counted as the server's. */
export class LoadClient {
  readonly #child: ChildProcess
  readonly #waiting = new Map<
    number,
    { resolve: (value: unknown) => void; reject: (error: Error) => void }
  >()
  #lastCall = 0

  constructor(opened: CleanUp) {
    this.#child = fork(startScript, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    this.#child.on('message', (reply: TaskReply) => {
      const waiting = this.#waiting.get(reply.call)
      this.#waiting.delete(reply.call)
      if (reply.error === undefined) waiting?.resolve(reply.value)
      else waiting?.reject(new Error(reply.error))
    })
    this.#child.on('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('The load process ended'))
    })
    opened.add(() => this.#end())
  }

  /** Runs one task in the process. */
  call<Name extends TaskName>(
    task: Name,
    parameters: Parameters<LoadTasks[Name]>[0],
  ): ReturnType<LoadTasks[Name]> {
    const call = (this.#lastCall += 1)
    if (!this.#child.connected) throw new Error('The load process ended')
    return new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(call, { resolve, reject })
      this.#child.send({ call, task, parameters })
    }) as ReturnType<LoadTasks[Name]>
  }

  async #end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = new Promise((resolve) => this.#child.once('exit', resolve))
    this.#child.kill('SIGKILL')
    await ended
  }
}
