import type { ChildProcess } from 'node:child_process'

/** See `process-guard.mjs`. */
export function startGuard(): {
  /** @param processId of the leader of its own process group. */
  watchGroup(processId: number): void
  forgetGroup(processId: number): void
  watchFolder(path: string): void
  /** Once everything is gone. */
  release(): void
}

/** Resolves when a spawned process has ended. */
export function ended(child: ChildProcess): Promise<void>

/** Ends a process that was spawned with `detached: true`, and everything it started. */
export function endGroup(child: ChildProcess, graceMilliseconds?: number): Promise<void>
