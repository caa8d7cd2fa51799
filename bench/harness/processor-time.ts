/** Seconds that this process has computed since `start`, in all of its threads. */
export function processorSecondsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1e6
}

/** Runs `work` and measures how many seconds this process computed meanwhile. */
export async function processorSeconds(work: () => Promise<void>): Promise<number> {
  const start = process.cpuUsage()
  await work()
  return processorSecondsSince(start)
}
