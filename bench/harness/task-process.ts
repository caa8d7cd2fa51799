import { fork, type ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

import type { CleanUp } from './clean-up.js'
import type { TaskReply } from './serve-tasks.js'

/** What a process can be asked to do, by name. */
export type TaskFunctions<Tasks> = {
  readonly [Name in keyof Tasks]: (parameters: never) => Promise<unknown>
}

/** A process of its own that does tasks when it is told to. It ends with the measurement. */
export class TaskProcess<Tasks extends TaskFunctions<Tasks>> {
  readonly #child: ChildProcess
  readonly #waiting = new Map<
    number,
    { resolve: (value: unknown) => void; reject: (error: Error) => void }
  >()
  #lastCall = 0

  /** @param nodeOptions are added to those that this process has. */
  constructor(opened: CleanUp, script: string, nodeOptions: readonly string[] = []) {
    this.#child = fork(script, {
      execArgv: [...process.execArgv, ...nodeOptions],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // Results hold bytes, and maps of counts.
      serialization: 'advanced',
    })
    this.#child.on('message', (reply: TaskReply) => {
      const waiting = this.#waiting.get(reply.call)
      this.#waiting.delete(reply.call)
      if (reply.error === undefined) waiting?.resolve(reply.value)
      else waiting?.reject(new Error(reply.error))
    })
    this.#child.on('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`${script} ended`))
    })
    opened.add(() => this.#end())
  }

  /** Runs one task in the process. */
  call<Name extends keyof Tasks & string>(
    task: Name,
    parameters: Parameters<Tasks[Name]>[0],
  ): ReturnType<Tasks[Name]> {
    const call = (this.#lastCall += 1)
    if (!this.#child.connected) throw new Error('The process ended')
    return new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(call, { resolve, reject })
      this.#child.send({ call, task, parameters })
    }) as ReturnType<Tasks[Name]>
  }

  /**
   * Gives the process this share of a processor, in slices of 100 ms, as a container's limit does:
   * waiting costs nothing, and what it used too much of in a slice counts in the next one.
   */
  limitProcessor(share: number): void {
    const [sliceMilliseconds, checkMilliseconds] = [100, 2]
    const { pid = 0 } = this.#child
    let [left, used, isRunning] = [0, usedMilliseconds(pid), true]
    const check = (): void => {
      const usedNow = usedMilliseconds(pid)
      left -= usedNow - used
      used = usedNow
      if (isRunning !== left > 0) this.#child.kill(left > 0 ? 'SIGCONT' : 'SIGSTOP')
      isRunning = left > 0
    }
    const slices = setInterval(() => {
      left = Math.min(left, 0) + sliceMilliseconds * share
      check()
    }, sliceMilliseconds)
    const checks = setInterval(() => isRunning && check(), checkMilliseconds)
    this.#child.once('exit', () => {
      clearInterval(slices)
      clearInterval(checks)
    })
  }

  async #end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = new Promise((resolve) => this.#child.once('exit', resolve))
    this.#child.kill('SIGKILL')
    await ended
  }
}

/** The processor time of the threads of a process that runs on Linux. */
function usedMilliseconds(pid: number): number {
  const folder = `/proc/${pid}/task`
  let sum = 0
  for (const thread of readdirSync(folder)) {
    try {
      sum += Number(readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6
    } catch {
      // The thread has just ended.
    }
  }
  return sum
}
