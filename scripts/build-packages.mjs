import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { build } from 'esbuild'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'

import { startGuard } from './process-guard.mjs'
import { root, runInstalled } from './run-command.mjs'

/**
 * Writes `dist/` of every package: one CommonJS file and one declaration file for each entry point,
 * and a small ES module that exports the same objects. The core also gets the OpenAPI document.
 *
 * There is only one copy of the code, so a product that mixes `import` and `require` has one copy
 * of every class and of all state. It is CommonJS because Jest without flags can load nothing else.
 * Dependencies that are ES modules only are therefore devDependencies, and become part of the file.
 */

const packageFolders = ['core', 'express', 'koa']

/** What the files of `core` may hold of others; another one has to be noticed, not shipped. */
const bundledPackages = ['@noble/ciphers', '@noble/hashes', 'stemmer', 'typebox', 'url-template']

const warnings = []

/** The entry points of a package, as names of files below `src` and `dist`, without their ending. */
function entryPoints({ exports }) {
  return Object.values(exports).flatMap((conditions) => {
    const source = conditions['@parley/source']
    return source === undefined ? [] : [/^\.\/src\/(.+)\.ts$/.exec(source)[1]]
  })
}

/** Every package that is imported, not included. */
function externalPackages({ dependencies = {}, peerDependencies = {} }) {
  return Object.keys({ ...dependencies, ...peerDependencies })
}

async function buildPackage(name, temporary) {
  const folder = join(root, 'packages', name)
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const dist = join(folder, 'dist')
  const entries = entryPoints(manifest)
  rmSync(dist, { recursive: true, force: true })
  mkdirSync(dist)
  // The nearest package.json says what a file ending in .js or .d.ts is.
  writeFileSync(join(dist, 'package.json'), '{ "type": "commonjs" }\n')

  const declarations = join(temporary, name)
  await runInstalled('tsc', ['-p', folder, '--outDir', declarations], { timeoutSeconds: 300 })
  for (const entry of entries) {
    await writeDeclarations(join(declarations, `${entry}.d.ts`), join(dist, `${entry}.d.ts`))
  }

  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: entries.map((entry) => ({ in: `src/${entry}.ts`, out: entry })),
    outdir: 'dist',
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    external: externalPackages(manifest),
    // Jest refuses import() in CommonJS; it becomes a promise of require().
    supported: { 'dynamic-import': false },
    metafile: true,
    logLevel: 'warning',
  })
  const included = includedPackages(metafile)
  const unexpected = included.filter(({ name }) => !bundledPackages.includes(name))
  if (unexpected.length > 0) {
    const names = unexpected.map(({ name }) => name).join(', ')
    throw new Error(`packages/${name} would include ${names}: make it a dependency, or list it`)
  }
  writeLicenses(join(dist, 'THIRD-PARTY-LICENSES.txt'), included)

  for (const entry of entries) writeModule(dist, entry)
}

/** One file with the declarations that can be reached from an entry point. */
async function writeDeclarations(input, file) {
  const bundle = await rollup({
    input,
    external: (id) => !/^[./]/.test(id),
    plugins: [dts()],
    onwarn: (warning) => {
      // Resources add to the tables of the storage; that is not part of the public types.
      if (!/^\[plugin dts\] declare module .*tables\.js/.test(warning.message)) {
        warnings.push(warning.message)
      }
    },
  })
  await bundle.write({ file, format: 'es' })
  await bundle.close()
}

/** The packages whose files became part of a bundle, with their folders. */
function includedPackages({ inputs }) {
  const found = new Map()
  for (const path of Object.keys(inputs)) {
    const match = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(path)
    if (match) found.set(match[2], match[1])
  }
  return [...found]
    .map(([name, path]) => ({ name, path }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Licenses ask that their text goes with the copies. */
function writeLicenses(file, packages) {
  if (packages.length === 0) return
  const texts = packages.map(({ name, path }) => {
    const folder = join(root, 'packages', 'core', path)
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return `${name} ${version} (${license})\n\n${readLicense(folder, name)}`
  })
  writeFileSync(file, texts.join(`\n${'-'.repeat(72)}\n\n`))
}

function readLicense(folder, name) {
  for (const file of ['LICENSE', 'license', 'LICENSE.md', 'LICENSE.txt']) {
    try {
      return readFileSync(join(folder, file), 'utf8')
    } catch (error) {
      if (error.code !== 'ENOENT') throw error
    }
  }
  throw new Error(`${name} has no license file`)
}

/** The ES module of an entry point: the objects of the CommonJS file, by name. */
function writeModule(dist, entry) {
  const file = join(dist, `${entry}.js`)
  const names = Object.keys(createRequire(import.meta.url)(file))
  const own = `./${entry.slice(dirname(entry) === '.' ? 0 : dirname(entry).length + 1)}.js`
  writeFileSync(
    join(dist, `${entry}.mjs`),
    [
      `import exported from '${own}'`,
      '',
      ...names.map((name) => `export const ${name} = exported.${name}`),
      '',
    ].join('\n'),
  )
  writeFileSync(join(dist, `${entry}.d.mts`), `export * from '${own}'\n`)
}

const guard = startGuard()
const temporary = mkdtempSync(join(tmpdir(), 'parley-build-'))
guard.watchFolder(temporary)
try {
  for (const name of packageFolders) await buildPackage(name, temporary)
  // In the package's own folder, where resolution that knows no "exports" finds it too.
  copyFileSync(join(root, 'docs/openapi.json'), join(root, 'packages/core/openapi.json'))
} finally {
  rmSync(temporary, { recursive: true, force: true })
  guard.release()
}
if (warnings.length > 0) {
  console.error(warnings.join('\n'))
  process.exitCode = 1
}
