import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'

import { documentedExamples } from './documented-examples.mjs'
import { installNode, newestNode } from './install-node.mjs'
import { useWithNext } from './next-consumer.mjs'
import { commonJsTypes, consumerVersions, knexTypes, useAsProducts } from './package-consumers.mjs'
import { startGuard } from './process-guard.mjs'
import { root, runCommand, runInstalled, runPnpm } from './run-command.mjs'
import { copyWorkTree } from './work-copy.mjs'

/**
 * Packs the packages as they would be published and uses them as an application would: from an ES
 * module, from CommonJS, in Jest, in a bundle, with Next.js, and from TypeScript under every kind of
 * resolution.
 *
 * `--with-next` adds Next.js; `--also-on-newest` runs what was installed on the newest supported
 * version of Node too.
 */

/** What every consumer uses, by package; change it here when a public name changes. */
const usedNames = {
  '@parley/core': ['createChatServer'],
  '@parley/core/import': ['OrganizationFileError'],
  '@parley/core/jwt': ['jwtIdentity'],
  '@parley/core/languages/de': ['german'],
  '@parley/core/languages/fr': ['french'],
  '@parley/core/ldap': ['ldapPasswordAuthenticator'],
  '@parley/core/markdown': ['compileLinkifiers', 'renderMessage'],
  '@parley/express': ['createChatMiddleware'],
  '@parley/koa': ['createChatMiddleware'],
  '@parley/redis': ['createRedisBus', 'createRedisRateLimitStore'],
  '@parley/client': ['ChatClient', 'ApiError', 'ConnectionError'],
  '@parley/web': ['ParleyChat', 'ParleyUnreadBadge'],
  '@parley/web/page': ['chatPage'],
}
const packageFolders = ['core', 'express', 'koa', 'redis', 'client', 'web']
const examples = documentedExamples()

/**
 * Maximum size of what is published, in thousands of bytes: the tarball, and the archive in it. Some
 * percent above the present sizes; raise them only for what is worth its size.
 */
const sizeBudget = {
  core: { packed: 1_090, unpacked: 5_200 },
  express: { packed: 4, unpacked: 18 },
  koa: { packed: 4, unpacked: 18 },
  redis: { packed: 10, unpacked: 38 },
  client: { packed: 136, unpacked: 900 },
  // The fonts of formulas are in it as Base64: for the elements, and within the page in both forms.
  web: { packed: 1_530, unpacked: 3_200 },
}

/** Reads the OpenAPI document as a generator of clients would. */
const openApiUse = `
if (require('@parley/core/openapi.json').openapi !== '3.1.0') throw new Error('no OpenAPI 3.1')
`

/** A request through every supported Express, as the product mounts it. */
const expressUse = `
import { once } from 'node:events'
import express5 from 'express'
import express4 from 'express4'
import { createChatMiddleware } from '@parley/express'

const chat = {
  async handle({ method, path, parsedBody }) {
    if (!path.startsWith('/api/v1/')) return undefined
    const body = JSON.stringify({ method, path, parsedBody })
    return { status: 200, headers: { 'Content-Type': 'application/json' }, body }
  },
}
for (const [version, express] of Object.entries({ express4, express5 })) {
  const app = express()
  app.use(createChatMiddleware(chat))
  app.get('/own', (_, response) => response.send('own'))
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = 'http://127.0.0.1:' + server.address().port
  const body = new URLSearchParams({ content: 'x' })
  const answer = await (await fetch(origin + '/api/v1/messages', { method: 'POST', body })).json()
  const own = await (await fetch(origin + '/own')).text()
  if (answer.path !== '/api/v1/messages' || answer.method !== 'POST' || own !== 'own') {
    throw new Error(version + ': ' + JSON.stringify(answer) + own)
  }
  server.close()
}
`

/** What the TypeScript consumers compile: the names above, passed from one package to the others. */
const typeScriptUse = `
import * as core from '@parley/core'
import { createChatServer } from '@parley/core'
import { OrganizationFileError, type LoadedOrganization } from '@parley/core/import'
import { jwtIdentity } from '@parley/core/jwt'
import { ldapPasswordAuthenticator } from '@parley/core/ldap'
import { renderMessage, type RenderOptions } from '@parley/core/markdown'
import { createChatMiddleware } from '@parley/express'
import { createChatMiddleware as createKoaMiddleware } from '@parley/koa'
import express from 'express'
import Koa from 'koa'

type Chat = Awaited<ReturnType<typeof createChatServer>>
export const isSame: boolean = core.createChatServer === createChatServer
export function mount(chat: Chat): void {
  express().use('/chat', createChatMiddleware(chat))
  new Koa().use(createKoaMiddleware(chat))
}
export const identify: core.Identify = jwtIdentity({
  jwks: 'https://login.example/jwks',
  issuer: 'https://login.example',
  audience: 'chat',
  user: ({ sub = '' }) => ({ externalId: sub, email: 'ada@product.example', fullName: 'Ada' }),
})
export const authenticators: core.ChatServerOptions['passwordAuthenticators'] = [
  ldapPasswordAuthenticator({ url: 'ldaps://directory.example', userDn: 'uid={username},dc=example' }),
]
export async function load(chat: Chat, file: object): Promise<LoadedOrganization | readonly string[]> {
  return chat.organizations.load(file).catch((error: unknown) => {
    if (error instanceof OrganizationFileError) return error.problems
    throw error
  })
}
export const html = (text: string, options: RenderOptions): string => renderMessage(text, options).html
// @ts-expect-error a chat server has a type; this line fails where it became \`any\`
mount({ no: 'chat server' })
// @ts-expect-error so have the results of the other entry points
export const rendered: number = renderMessage('', { organizationUrl: '', now: new Date() }).html
`

function requireSize(tarball, budget) {
  const sizes = { packed: tarball.length, unpacked: gunzipSync(tarball).length }
  for (const [what, bytes] of Object.entries(sizes)) {
    const kilobytes = Math.ceil(bytes / 1000)
    if (kilobytes > budget[what]) {
      throw new Error(`It has ${kilobytes} kB ${what}; sizeBudget allows ${budget[what]}`)
    }
  }
}

const names = Object.entries(usedNames)

function consumerChecks(load) {
  return names
    .map(
      ([name, expected]) => `{
  const exported = ${load(name)}
  for (const name of ${JSON.stringify(expected)}) {
    if (exported[name] === undefined) {
      throw new Error('${name} exports no ' + name + ', only: ' + Object.keys(exported))
    }
  }
}`,
    )
    .join('\n')
}

/** How TypeScript may be configured to find the packages. */
const resolutions = [
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
  ['commonjs', 'node10'],
]

async function main(folder) {
  const failures = []
  const step = async (title, action) => {
    try {
      await action()
      console.log(`ok      ${title}`)
      return true
    } catch (error) {
      failures.push(title)
      console.log(`FAILED  ${title}\n${error.message}`)
      return false
    }
  }

  const tarballs = join(folder, 'tarballs')
  mkdirSync(tarballs)
  // Tests that run at the same time read what is built in the work tree.
  const copy = join(folder, 'copy')
  copyWorkTree(root, copy)
  const isPacked =
    (await step('the packages build', () =>
      runCommand(process.execPath, ['scripts/build-packages.mjs'], {
        cwd: copy,
      }),
    )) &&
    (await step('the packages pack', async () => {
      for (const name of packageFolders) {
        await runPnpm(['pack', '--pack-destination', tarballs], {
          cwd: join(copy, 'packages', name),
        })
      }
    }))
  if (!isPacked) return failures

  const files = readdirSync(tarballs).map((name) => join(tarballs, name))
  for (const name of packageFolders) {
    await step(`@parley/${name} stays within its size`, () => {
      const file = files.find((path) => basename(path).startsWith(`parley-${name}-`))
      requireSize(readFileSync(file), sizeBudget[name])
    })
  }
  for (const file of files) {
    const name = file.slice(tarballs.length + 1)
    await step(`publint ${name}`, () => runInstalled('publint', ['run', file, '--strict']))
    await step(`attw ${name}`, () =>
      runInstalled('attw', [file, '--profile=strict', '--no-color', '--no-emoji']),
    )
  }

  const consumers = join(folder, 'consumers')
  const isInstalled = await step('the packages install with npm', () =>
    installConsumers(consumers, files),
  )
  if (!isInstalled) return failures
  await useOn(process.execPath, consumers, step)
  await step('the packages install one by one with pnpm', () =>
    installOneByOne(join(folder, 'one-by-one'), tarballs),
  )
  if (process.argv.includes('--also-on-newest')) {
    const newest = await installNode(folder, newestNode)
    await useOn(join(newest, 'node'), consumers, (title, action) =>
      step(`Node ${newestNode}: ${title}`, action),
    )
  }
  if (process.argv.includes('--with-next')) {
    await step('a custom server of Next.js runs a product', () =>
      useWithNext(join(folder, 'next-product'), files),
    )
  } else console.log('SKIPPED Next.js, which takes minutes to install; `--with-next` runs it')
  for (const [module, resolution] of resolutions) {
    await step(
      `TypeScript checks uses of them, and the examples of the docs, under ${module} and ${resolution}`,
      () => checkTypes(consumers, module, resolution),
    )
  }
  return failures
}

/** @param node path of the program that runs the consumers. */
async function useOn(node, consumers, step) {
  const run = (...parameters) => runCommand(node, parameters, { cwd: consumers })
  await step('an ES module imports them', () => run('use.mjs'))
  await step('Express 4 and Express 5 mount them', () => run('use-express.mjs'))
  await step('the OpenAPI document is in the core', () => run('-p', openApiUse))
  await step('CommonJS requires them', () => run('use.cjs'))
  await step('the command prints its help', () =>
    run(join('node_modules', '.bin', 'parley'), '--help'),
  )
  await useAsProducts(node, consumers, step)
}

/** pnpm looks for the dependencies of a tarball in the registry, but for its peers in the product. */
async function installOneByOne(folder, tarballs) {
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  for (const name of packageFolders) {
    const file = readdirSync(tarballs).find((path) => path.startsWith(`parley-${name}-`))
    await runPnpm(['add', '--ignore-scripts', join(tarballs, file)], { cwd: folder })
  }
  await runCommand(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      "await import('@parley/express'); await import('@parley/web/page')",
    ],
    { cwd: folder },
  )
}

/**
 * One installation for all consumers. Of the optional peers only ldapts and jose are there, because their
 * parts of the core have no other use, and @opentelemetry/api for its types; sqlite3 and mysql2 stay away.
 */
async function installConsumers(folder, tarballs) {
  const manifestOf = (name) =>
    JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const versions = {
    ...consumerVersions,
    ...manifestOf('express').devDependencies,
    ...manifestOf('koa').devDependencies,
    express4: 'npm:express@4',
    ldapts: manifestOf('core').devDependencies.ldapts,
    jose: manifestOf('core').devDependencies.jose,
    '@opentelemetry/api': manifestOf('core').peerDependencies['@opentelemetry/api'],
    '@types/node': devDependencies['@types/node'],
  }
  mkdirSync(folder)
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'consumer', private: true, type: 'module' }),
  )
  writeFileSync(
    join(folder, 'use.mjs'),
    consumerChecks((name) => `await import('${name}')`),
  )
  writeFileSync(
    join(folder, 'use.cjs'),
    consumerChecks((name) => `require('${name}')`),
  )
  writeFileSync(join(folder, 'use-express.mjs'), expressUse)
  writeFileSync(join(folder, 'use.ts'), typeScriptUse)
  writeFileSync(join(folder, 'use-knex.ts'), knexTypes)
  writeFileSync(join(folder, 'use-require.cts'), commonJsTypes)
  for (const [name, text] of examples) writeFileSync(join(folder, name), text)
  await runCommand(
    'npm',
    [
      'install',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--no-package-lock',
      ...tarballs,
      ...Object.entries(versions)
        // The tarballs are in their place.
        .filter(([, version]) => !version.startsWith('workspace:'))
        .map(([name, version]) => `${name}@${version}`),
    ],
    { cwd: folder },
  )
}

/** Declarations of other packages may have faults of their own; those of ours may not. */
async function checkTypes(folder, module, moduleResolution) {
  const project = join(folder, `tsconfig.${moduleResolution}.json`)
  const compilerOptions = {
    module,
    moduleResolution,
    target: 'es2022',
    strict: true,
    exactOptionalPropertyTypes: true,
    esModuleInterop: true,
    noEmit: true,
    types: ['node'],
  }
  const files = ['use.ts', 'use-knex.ts', ...examples.keys()]
  if (module === 'nodenext') files.push('use-require.cts')
  writeFileSync(project, JSON.stringify({ compilerOptions, files }))
  try {
    const parameters = ['-p', project, '--pretty', 'false']
    if (moduleResolution === 'node10') {
      const tsc = join('node_modules', 'typescript-node10', 'bin', 'tsc')
      await runCommand(process.execPath, [tsc, ...parameters], {
        cwd: folder,
      })
    } else await runInstalled('tsc', parameters, { cwd: folder })
  } catch (error) {
    const ours = error.message
      .split('\n')
      .filter((line) =>
        /^(use[\w-]*\.c?ts|documented-[\w-]*\.ts|node_modules\/@parley\/|error )/.test(line),
      )
    const isOnlyTheirs = ours.length === 0 && /^node_modules\/.*: error /m.test(error.message)
    if (!isOnlyTheirs) throw new Error(ours.join('\n') || error.message, { cause: error })
  }
}

const guard = startGuard()
const folder = mkdtempSync(join(tmpdir(), 'parley-packages-'))
guard.watchFolder(folder)
try {
  const failures = await main(folder)
  if (failures.length > 0) {
    console.log(`\nFailed: ${failures.join(', ')}`)
    process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
  guard.release()
}
