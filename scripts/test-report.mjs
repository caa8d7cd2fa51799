import { uncaughtErrors } from './uncaught-errors.mjs'

/**
 * A reporter of Node's test runner for the process that started the tests: what failed, how long
 * each file took, and what the process itself used, as one object of JSON.
 */
export default async function* report(events) {
  const counts = {}
  const failures = []
  const secondsByFile = {}
  let titles = []
  for await (const { type, data } of events) {
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
      failures.push({ file, title: [...titles.slice(0, nesting), name].join(' › ') })
    }
  }
  // Of which file it is, is not known.
  if (uncaughtErrors.length > 0) failures.push({ title: 'an uncaught error' })
  const { user, system } = process.cpuUsage()
  yield JSON.stringify({ counts, failures, secondsByFile, cpuSeconds: (user + system) / 1e6 })
}
