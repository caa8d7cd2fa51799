import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { documentedClient } from './documented-examples.mjs'
import { endExamples, readSampleUsers, startExample, stopExample } from './example-process.mjs'
import { startGuard } from './process-guard.mjs'
import { root, runCommand } from './run-command.mjs'

/**
 * Checks docs/openapi.json as its readers use it: three linters, and two generators of clients
 * whose results are compiled and talk to a running example.
 *
 * The tools are installed into a temporary folder: together they are some 300 packages, which no
 * other command needs, and the generators need an older TypeScript than this project.
 */

const tools = {
  '@apidevtools/swagger-parser': '12.1.0',
  // The last one for Node 20.
  '@hey-api/openapi-ts': '0.96.1',
  '@redocly/cli': '2.77.0',
  '@stoplight/spectral-cli': '6.16.3',
  '@types/node': '20.19.43',
  'openapi-fetch': '0.17.0',
  'openapi-typescript': '7.13.0',
  typescript: '5.9.3',
}

/**
 * Redocly finds that they may mean the same as `/users/me/muted_users/{muted_user_id}` and
 * `/invites/multiuse/{invite_id}`. All are of the public API; ids are numbers, so no request fits two.
 */
const ambiguousPaths = ['/api/v1/users/me/{stream_id}/topics', '/api/v1/invites/{invite_id}/resend']

const guard = startGuard()
const failures = []

async function step(title, action) {
  const started = Date.now()
  try {
    await action()
    console.log(`ok      ${title} (${Date.now() - started} ms)`)
  } catch (error) {
    failures.push(title)
    console.log(`FAILED  ${title}\n${error.message}`)
  }
}

function install(folder) {
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'openapi-tools', private: true, type: 'module', dependencies: tools }),
  )
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']
  return runCommand('npm', ['install', ...options], { cwd: folder })
}

/** @returns what the tool printed. */
function runTool(folder, name, parameters) {
  return runCommand(join(folder, 'node_modules/.bin', name), parameters, {
    cwd: folder,
  })
}

async function lint(folder) {
  const places = ambiguousPaths.map((path) => `#/paths/${path.replaceAll('/', '~1')}`)
  const ignored = { 'openapi.json': { 'no-ambiguous-paths': places } }
  // YAML is a superset of JSON.
  writeFileSync(join(folder, '.redocly.lint-ignore.yaml'), JSON.stringify(ignored))
  await step('redocly', () =>
    runTool(folder, 'redocly', ['lint', 'openapi.json', '--extends=recommended-strict']),
  )

  writeFileSync(join(folder, '.spectral.yaml'), JSON.stringify({ extends: ['spectral:oas'] }))
  await step('spectral', () =>
    runTool(folder, 'spectral', ['lint', 'openapi.json', '--fail-severity=hint']),
  )

  const program = `import SwaggerParser from '@apidevtools/swagger-parser'
await SwaggerParser.validate('openapi.json')
`
  writeFileSync(join(folder, 'validate.js'), program)
  await step('swagger-parser', () => runCommand(process.execPath, ['validate.js'], { cwd: folder }))
}

const clients = ['openapi-fetch', 'hey-api']

async function generate(folder) {
  const sources = join(folder, 'clients')
  mkdirSync(sources)
  cpSync(join(root, 'scripts/openapi-clients'), sources, { recursive: true })
  await step('openapi-typescript', () =>
    runTool(folder, 'openapi-typescript', ['openapi.json', '-o', 'clients/openapi-typescript.ts']),
  )
  await step('hey-api', () =>
    runTool(folder, 'openapi-ts', ['-i', 'openapi.json', '-o', 'clients/hey-api']),
  )
  writeFileSync(
    join(sources, 'documented.ts'),
    documentedClient().replace('./chat-api.js', './openapi-typescript.js'),
  )
  const compilerOptions = {
    // Generated imports name no file extensions.
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: ['node'],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  }
  const files = [...clients, 'documented'].map((name) => `clients/${name}.ts`)
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  await step('the clients compile', () => runTool(folder, 'tsc', ['-p', '.', '--pretty', 'false']))
}

async function talk(folder) {
  const example = await startExample(guard, 'express', ['--database', join(folder, 'chat.sqlite')])
  const [user, other] = await readSampleUsers(example, 10)
  const response = await fetch(`${example.address}/api/v1/users/me`, {
    headers: { authorization: `Basic ${btoa(`${other.email}:${other.key}`)}` },
  })
  const { user_id: otherId } = await response.json()
  const parameters = [example.address, user.email, user.key, other.email, String(otherId)]
  for (const name of clients) {
    await step(`${name} talks to a server`, () =>
      runCommand(
        process.execPath,
        ['--import', import.meta.resolve('tsx'), `clients/${name}.ts`, ...parameters],
        { cwd: folder },
      ),
    )
  }
  await stopExample(example)
}

const folder = mkdtempSync(join(tmpdir(), 'parley-openapi-'))
guard.watchFolder(folder)
try {
  copyFileSync(join(root, 'docs/openapi.json'), join(folder, 'openapi.json'))
  await step('the tools install', () => install(folder))
  if (failures.length === 0) {
    await lint(folder)
    await generate(folder)
    await talk(folder)
  }
  if (failures.length > 0) {
    console.log(`\nFailed: ${failures.join(', ')}`)
    process.exitCode = 1
  }
} finally {
  await endExamples()
  rmSync(folder, { recursive: true, force: true })
  guard.release()
}
