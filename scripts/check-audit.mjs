import { runPnpm } from './run-command.mjs'

/**
 * Asks the registry for known security issues of what the packages install. A registry that cannot
 * be asked (mirrors often cannot) is reported and does not fail the check.
 */
const lowestLevel = 'moderate'

let output
let hasFailed = false
try {
  output = await runPnpm(['audit', '--prod', '--audit-level', lowestLevel, '--json'])
} catch (error) {
  output = error.message
  hasFailed = true
}
// The first line that begins an object; npx may warn before it.
const report = parse(output.slice(output.search(/^\{/m)))
if (report?.advisories === undefined) {
  console.log(`SKIPPED: the registry did not answer the audit\n${output}`)
} else {
  for (const { severity, module_name, title, url } of Object.values(report.advisories)) {
    console.log(`${severity}  ${module_name}  ${title}  ${url}`)
  }
  console.log(hasFailed ? `FAILED: issues of level ${lowestLevel} or above` : 'ok      audit')
  if (hasFailed) process.exitCode = 1
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
