import { uncaughtErrors } from './uncaught-errors.mjs'

/** If no test has begun or ended in this time, the last one never ends. */
const longestMilliseconds = 400_000
/** Leaves time to write the report. */
const exitMilliseconds = 2000
/** In characters. */
const longestReason = 300

/**
 * A reporter of Node's test runner for the process that started the tests: what failed, how long
 * each file took, and what the process itself used, as one object of JSON. A test that never ends
 * has failed, and ends the process.
 */
export default async function* report(events) {
  const counts = {}
  const failures = []
  const secondsByFile = {}
  let titles = []
  // `test:start` waits for the first end within.
  let begun = []
  let isStuck = false
  for await (const { type, data } of untilStuck(events)) {
    if (type === 'test:dequeue') begun = [...begun.slice(0, data.nesting), data]
    if (type === 'stuck') {
      const title = begun.map(({ name }) => name).join(' › ')
      failures.push({ file: begun[0]?.file, title: `${title} (has not ended)` })
      isStuck = true
      break
    }
    if (type === 'test:start') titles = [...titles.slice(0, data.nesting), data.name]
    if (type === 'test:diagnostic' && data.nesting === 0) {
      const [, name, number] = /^(\w+) (\d+)/.exec(data.message) ?? []
      if (name !== undefined) counts[name] = Number(number)
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const { nesting, name, file, details } = data
    const isSuite = details.type === 'suite'
    if (!isSuite) secondsByFile[file] = (secondsByFile[file] ?? 0) + details.duration_ms / 1000
    const { failureType } = details.error ?? {}
    if (type === 'test:fail' && failureType !== 'subtestsFailed' && data.todo === undefined) {
      const title = [...titles.slice(0, nesting), name].join(' › ')
      failures.push({ file, title, reason: reasonOf(details.error) })
    }
  }
  // Of which file it is, is not known.
  if (uncaughtErrors.length > 0) failures.push({ title: 'an uncaught error' })
  const { user, system } = process.cpuUsage()
  yield JSON.stringify({ counts, failures, secondsByFile, cpuSeconds: (user + system) / 1e6 })
  if (isStuck) await new Promise(() => setTimeout(() => process.exit(1), exitMilliseconds))
}

/** The first line of what the test has thrown. */
function reasonOf(error) {
  const thrown = error?.cause ?? error
  return String(thrown?.message ?? thrown)
    .split('\n', 1)[0]
    .slice(0, longestReason)
}

/** The events; `{ type: 'stuck' }` if no other comes in time. */
async function* untilStuck(events) {
  const iterator = events[Symbol.asyncIterator]()
  for (;;) {
    let timer
    const stuck = new Promise((resolve) => {
      timer = setTimeout(resolve, longestMilliseconds, { value: { type: 'stuck' } }).unref()
    })
    const { done, value } = await Promise.race([iterator.next(), stuck])
    clearTimeout(timer)
    if (done) return
    yield value
  }
}
