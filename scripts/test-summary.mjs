import { readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'

/** More files than this that pass only when they are repeated are a failure of their own. */
const mostUnstableFiles = 3
const shownFiles = 20

/**
 * Runs the files that have failed once more, each alone. A test that passes then is unstable.
 *
 * @param results are changed: what has passed now does not count as failed any more.
 * @returns `file: title` of each unstable test.
 */
export async function repeatFailed(pool, results, options) {
  const unstable = []
  for (const result of results.filter(({ isPassed }) => !isPassed)) {
    let isPassed = true
    for (const { files, titles } of failedFiles(pool.root, result)) {
      console.log(`\nOnce more, alone: ${files.join(' ')}`)
      const again = await pool.run({ files, environment: result.environment }, options)
      console.log(again.output)
      if (again.isPassed) unstable.push(...titles.map((title) => `${files.join(' ')}: ${title}`))
      else isPassed = false
    }
    if (!isPassed) continue
    const { counts } = result
    result.isPassed = true
    counts.pass = (counts.pass ?? 0) + (counts.fail ?? 0) + (counts.cancelled ?? 0)
    counts.fail = counts.cancelled = 0
  }
  return unstable
}

/** The files whose tests have failed; all of a process that has ended for another reason. */
function failedFiles(root, { files, failures, outcome }) {
  if (failures.length === 0) return [{ files, titles: [`the process: ${outcome}`] }]
  // It can be of any of them.
  if (failures.some(({ file }) => file === undefined)) {
    return [{ files, titles: failures.map(describeFailure) }]
  }
  const found = new Map()
  for (const failure of failures) {
    const unloaded = files.filter((file) => failure.title === `${file} can be loaded`)
    const candidates = unloaded.length > 0 ? unloaded : filesOf(root, files, failure.file)
    for (const candidate of candidates) {
      found.set(candidate, [...(found.get(candidate) ?? []), describeFailure(failure)])
    }
  }
  return [...found].map(([file, titles]) => ({ files: [file], titles }))
}

/** The title, and why. */
function describeFailure({ title, reason }) {
  return reason === undefined ? title : `${title}: ${reason}`
}

/** A case can be declared in a module that several test files import. */
function filesOf(root, files, declaredIn) {
  const path = relative(root, declaredIn)
  if (files.includes(path)) return [path]
  const name = basename(path, '.ts')
  const importing = files.filter((file) =>
    readFileSync(join(root, file), 'utf8').includes(`${name}.js'`),
  )
  return importing.length > 0 ? importing : files
}

/**
 * Prints what failed, what took longest, and at last the lines with which Node's test runner ends.
 *
 * @returns the exit code.
 */
export function printSummary(results, unstable, milliseconds) {
  const seconds = {}
  for (const { secondsByFile } of results) {
    for (const [file, own] of Object.entries(secondsByFile)) {
      seconds[file] = (seconds[file] ?? 0) + own
    }
  }
  const slowest = Object.entries(seconds).toSorted(([, one], [, other]) => other - one)
  console.log('The slowest files, in seconds:')
  for (const [file, own] of slowest.slice(0, shownFiles)) {
    console.log(`  ${own.toFixed(1).padStart(6)}  ${relative(process.cwd(), file)}`)
  }
  const failed = results.filter(({ isPassed }) => !isPassed)
  for (const { files, failures, outcome } of failed) {
    const lines = failures.map((failure) => {
      const { file } = failure
      const place = file === undefined ? files.join(' ') : relative(process.cwd(), file)
      return `${place}: ${describeFailure(failure)}`
    })
    if (lines.length === 0) lines.push(`${files.join(' ')}: the process ended with ${outcome}`)
    for (const line of lines) console.log(`FAILED: ${line}`)
  }
  for (const line of unstable) console.log(`UNSTABLE: ${line}`)
  const unstableFiles = new Set(unstable.map((line) => line.split(': ')[0])).size
  const isTooUnstable = unstableFiles > mostUnstableFiles
  if (isTooUnstable)
    console.log(`${unstableFiles} files are unstable; ${mostUnstableFiles} may be.`)
  console.log('')
  for (const name of ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo']) {
    const sum = results.reduce((total, { counts }) => total + (counts[name] ?? 0), 0)
    const withoutReport = name === 'fail' ? failed.filter(({ counts }) => !counts.tests).length : 0
    console.log(`ℹ ${name} ${sum + withoutReport}`)
  }
  console.log(`ℹ duration_ms ${milliseconds}`)
  return failed.length > 0 || isTooUnstable ? 1 : 0
}
