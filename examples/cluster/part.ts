import { setTimeout as sleep } from 'node:timers/promises'

const retryMilliseconds = 500

/** A program that runs. */
export interface Program {
  readonly processId: number
  /** Resolves when it has ended, however that came. */
  readonly ended: Promise<void>
  /** Ends it in good order. */
  stop(): Promise<void>
}

/** A program of the cluster, which is started again whenever it ends, as a service manager does. */
export class Part {
  #program: Program | undefined
  #isStopping = false

  /**
   * @param open starts the program, and resolves when it can be used.
   * @param report gets a line for whoever watches.
   */
  constructor(
    readonly name: string,
    private readonly open: () => Promise<Program>,
    private readonly report: (line: string) => void,
  ) {}

  /** Undefined while it does not run. */
  get processId(): number | undefined {
    return this.#program?.processId
  }

  async start(): Promise<void> {
    const program = await this.open()
    this.#program = program
    void program.ended.then(() => this.#startAgain(program.processId))
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#program?.stop()
  }

  async #startAgain(processId: number): Promise<void> {
    this.#program = undefined
    if (this.#isStopping) return
    this.report(`${this.name} (process ${processId}) has ended`)
    while (!this.#isStopping) {
      try {
        await this.start()
        this.report(`${this.name} runs again, as process ${this.processId}`)
        return
      } catch (error) {
        this.report(`${this.name} does not start: ${(error as Error).message}`)
        await sleep(retryMilliseconds)
      }
    }
  }
}
