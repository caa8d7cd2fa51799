import { spawn } from 'node:child_process'

/**
 * Cleans up after a process that may die without a chance to do so itself (`kill -9`, a crash).
 *
 * The guard is a shell that reads from a pipe which only this process holds open. When the pipe
 * ends without a farewell, it ends every process group and removes every folder it was told of.
 * It runs in its own process group, so that Ctrl-C in a terminal does not end it first.
 */
const guardScript = `
set -f
groups=
while IFS=' ' read -r kind value; do
  case $kind in
    group) groups="$groups $value" ;;
    forget) groups=$(for id in $groups; do [ "$id" = "$value" ] || printf ' %s' "$id"; done) ;;
    folder) set -- "$@" "$value" ;;
    farewell) exit 0 ;;
  esac
done
for id in $groups; do kill -9 "-$id" 2>/dev/null; done
[ $# -gt 0 ] || exit 0
for round in 1 2 3 4 5; do rm -rf -- "$@" 2>/dev/null && sleep 0.2; done
rm -rf -- "$@"
`

/** Starts a guard. Call `release()` once everything it was told of is gone. */
export function startGuard() {
  const shell = spawn('/bin/sh', ['-c', guardScript, 'guard'], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // A guard that somebody ended cannot be told anything; the ordinary clean-up still happens.
  shell.stdin.on('error', () => {})
  shell.on('error', () => {})
  shell.unref()
  shell.stdin.unref?.()
  const tell = (line) => shell.stdin.writable && shell.stdin.write(`${line}\n`)
  return {
    /** `processId` must lead its own process group: spawn it with `detached: true`. */
    watchGroup: (processId) => tell(`group ${processId}`),
    forgetGroup: (processId) => tell(`forget ${processId}`),
    watchFolder: (path) => tell(`folder ${path}`),
    release: () => shell.stdin.end('farewell\n'),
  }
}

/** Resolves when a spawned process has ended, at once if it has already. */
export function ended(child) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
}

/**
 * Ends a process that was spawned with `detached: true` and everything it started: politely,
 * and after `graceMilliseconds` by force.
 */
export async function endGroup(child, graceMilliseconds = 0) {
  if (child.pid === undefined) return
  // The event loop must not run dry while this waits for a process it was told not to wait for.
  child.ref()
  if (graceMilliseconds > 0) {
    signalGroup(child.pid, 'SIGTERM')
    let timer
    const grace = new Promise((resolve) => (timer = setTimeout(resolve, graceMilliseconds)))
    await Promise.race([ended(child), grace])
    clearTimeout(timer)
  }
  signalGroup(child.pid, 'SIGKILL')
  await ended(child)
}

function signalGroup(processId, signal) {
  try {
    process.kill(-processId, signal)
  } catch (error) {
    // ESRCH: the group is gone already. EPERM: only zombies are left of it (macOS).
    if (error.code !== 'ESRCH' && error.code !== 'EPERM') throw error
  }
}
