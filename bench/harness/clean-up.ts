/** What a measurement has opened, closed in the opposite order. */
export class CleanUp {
  readonly #steps: (() => unknown)[] = []

  add(step: () => unknown): void {
    this.#steps.push(step)
  }

  async run(): Promise<void> {
    for (const step of this.#steps.splice(0).reverse()) await step()
  }
}

/** Runs `work` and closes what it opened, whether it succeeds or not. */
export async function withCleanUp<Value>(
  work: (opened: CleanUp) => Promise<Value>,
): Promise<Value> {
  const opened = new CleanUp()
  try {
    return await work(opened)
  } finally {
    await opened.run()
  }
}
