import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

import { build, transform } from 'esbuild'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'

import { startGuard } from './process-guard.mjs'
import { root, runInstalled } from './run-command.mjs'
import { bundleElements, bundlePage } from './web-page.mjs'

/**
 * Writes `dist/` of every package: for each entry point a CommonJS file, a declaration file, and a
 * small ES module that exports the same objects. What several entry points use is in `chunks/`. The
 * core also gets the OpenAPI document.
 *
 * There is only one copy of the code, so a product that mixes `import` and `require`, or several
 * entry points, has one copy of every class and of all state. It is CommonJS because Jest without
 * flags can load nothing else. Dependencies that are ES modules only are therefore
 * devDependencies, and become part of the files.
 */

const packageFolders = ['core', 'express', 'koa', 'redis', 'client', 'web']

/** Types that become part of the declarations of other packages. */
const wire = join(root, 'packages/wire')

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

/** The programs of a package, named as the entry points. */
function programsOf({ publishConfig }) {
  return Object.values(publishConfig.bin ?? {}).map((path) => /^\.\/dist\/(.+)\.js$/.exec(path)[1])
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
  await runInstalled('tsc', ['-p', folder, '--outDir', declarations])
  await writeDeclarations(entries, declarations, dist)

  if (name === 'client') {
    await buildForBrowsers(folder, entries)
    return
  }
  if (name === 'web') {
    await buildWeb(folder, manifest)
    return
  }
  const programs = programsOf(manifest)
  const { metafile, outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: [...entries, ...programs].map((entry) => ({ in: `src/${entry}.ts`, out: entry })),
    outdir: 'dist',
    bundle: true,
    // Only ES modules can share chunks; they become CommonJS afterwards.
    splitting: true,
    chunkNames: 'chunks/[hash]',
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    external: externalPackages(manifest),
    metafile: true,
    write: false,
    logLevel: 'warning',
  })
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true })
    const isProgram = programs.some((program) => path === join(dist, `${program}.js`))
    writeFileSync(path, await toCommonJs(text, path, isProgram))
  }
  const included = includedPackages(metafile)
  const unexpected = included.filter(({ name }) => !bundledPackages.includes(name))
  if (unexpected.length > 0) {
    const names = unexpected.map(({ name }) => name).join(', ')
    throw new Error(`packages/${name} would include ${names}: make it a dependency, or list it`)
  }
  writeLicenses(join(dist, 'THIRD-PARTY-LICENSES.txt'), included)

  for (const entry of entries) writeModule(dist, entry)
}

/**
 * For browsers too, so an ES module holds the code itself: bundlers leave out what is not used. It
 * has no state that a second copy in CommonJS could split.
 */
async function buildForBrowsers(folder, entries, options = {}) {
  for (const [format, ending] of [
    ['esm', '.mjs'],
    ['cjs', '.js'],
  ]) {
    await build({
      absWorkingDir: folder,
      entryPoints: entries.map((entry) => ({ in: `src/${entry}.ts`, out: entry })),
      outdir: 'dist',
      outExtension: { '.js': ending },
      bundle: true,
      platform: 'neutral',
      target: 'es2022',
      format,
      // What is loaded on demand stays apart for the bundlers of applications.
      splitting: format === 'esm',
      logLevel: 'warning',
      ...options,
    })
  }
  for (const entry of entries) {
    writeFileSync(join(folder, 'dist', `${entry}.d.mts`), `export * from './${entry}.js'\n`)
  }
}

/**
 * The elements, for bundlers and as files for pages without one, and the page, whose files are in
 * the module that serves it: a server that is bundled finds no others.
 */
async function buildWeb(folder, manifest) {
  await buildForBrowsers(folder, ['index'], {
    external: externalPackages(manifest),
    plugins: [
      {
        name: 'formulas',
        setup(plugin) {
          // With their fonts they are as large as everything else: the package has them once.
          plugin.onResolve({ filter: /formulas[/\\]index\.js$/ }, () => ({
            path: './browser/parley-formulas.js',
            external: true,
          }))
        },
      },
    ],
  })
  const { files: elements, metafile } = await bundleElements(root)
  const browserFolder = join(folder, 'dist', 'browser')
  mkdirSync(browserFolder)
  for (const [name, text] of Object.entries(elements)) {
    writeFileSync(join(browserFolder, name), text)
  }
  // Bundlers, too, read these files.
  writeFileSync(join(browserFolder, 'package.json'), '{ "type": "module" }\n')
  const files = await bundlePage(root)
  await build({
    absWorkingDir: folder,
    entryPoints: { page: 'src/page.ts' },
    outdir: 'dist',
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    logLevel: 'warning',
    plugins: [
      {
        name: 'page-files',
        setup(plugin) {
          plugin.onLoad({ filter: /page[/\\]page-files\.ts$/ }, () => ({
            contents: `export const readPageFiles = () => (${files})`,
            loader: 'js',
          }))
        },
      },
    ],
  })
  writeModule(join(folder, 'dist'), 'page')
  writeLicenses(
    join(folder, 'dist', 'THIRD-PARTY-LICENSES.txt'),
    includedPackages(metafile),
    folder,
  )
}

/**
 * The CommonJS of an ES module. A package that the sources load on first use, by a function that
 * `createRequire` made, is loaded by `require` itself: bundlers of applications know only that.
 */
async function toCommonJs(text, path, isProgram) {
  let source = text
  for (const [creation, name] of text.matchAll(
    /^(?:var|const) (\w+) = createRequire\d*\(import\.meta\.url\);\n/gm,
  )) {
    source = source.replace(creation, '').replaceAll(new RegExp(`\\b${name}\\(`, 'g'), 'require(')
  }
  const { code, warnings } = await transform(source, {
    // As an ES module of Node: the default export of CommonJS is module.exports.
    sourcefile: basename(path).replace(/js$/, 'mjs'),
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    // Jest refuses import() in CommonJS; it becomes a promise of require(). Programs import modules
    // of applications, which may have await at their top.
    supported: { 'dynamic-import': isProgram },
    logLevel: 'warning',
  })
  if (warnings.length > 0 || /\bimport\.meta\b/.test(source)) {
    throw new Error(`${basename(path)} cannot become CommonJS`)
  }
  return code
}

/** The declarations that can be reached from the entry points; what they share is in a chunk. */
async function writeDeclarations(entries, declarations, dist) {
  // Resources add to the tables of the storage and to the lists of files; that is not part of the
  // public types.
  const addition = /^declare module '[^']*(tables|file-schemas)\.js' \{\n[^]*?^\}\n/gm
  for (const file of readdirSync(declarations, { recursive: true })) {
    const path = join(declarations, file)
    if (!file.endsWith('.d.ts')) continue
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(addition, ''))
  }
  const bundle = await rollup({
    input: Object.fromEntries(entries.map((entry) => [entry, join(declarations, `${entry}.d.ts`)])),
    external: (id) => !/^[./]|^@parley\/wire\//.test(id),
    plugins: [{ name: 'wire', resolveId: wireDeclarations }, dts()],
    onwarn: ({ message }) => warnings.push(message),
  })
  await bundle.write({
    dir: dist,
    format: 'es',
    entryFileNames: '[name].d.ts',
    chunkFileNames: 'chunks/[hash].d.ts',
    plugins: [{ name: 'names', renderChunk: withNamespaceNames }],
  })
  await bundle.close()
}

/** Errors of the compiler name the namespaces as the bundle does. */
function withNamespaceNames(code) {
  return code
    .replaceAll(/\b(httpOperations|operations)_generated_d/g, 'Api')
    .replaceAll(/\bevents_generated_d/g, 'Events')
}

function wireDeclarations(id) {
  const part = /^@parley\/wire\/(.+)/.exec(id)?.[1]
  return part === undefined ? null : join(wire, 'dist', `${part}.generated.d.ts`)
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
function writeLicenses(file, packages, from = join(root, 'packages', 'core')) {
  if (packages.length === 0) return
  const texts = packages.map(({ name, path }) => {
    const folder = join(from, path)
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
  rmSync(join(wire, 'dist'), { recursive: true, force: true })
  await runInstalled('tsc', ['-p', wire, '--outDir', join(wire, 'dist')])
  for (const name of packageFolders) await buildPackage(name, temporary)
  // In the package's own folder, where resolution that knows no "exports" finds it too.
  const openApi = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8'))
  writeFileSync(join(root, 'packages/core/openapi.json'), JSON.stringify(openApi))
} finally {
  rmSync(temporary, { recursive: true, force: true })
  guard.release()
}
if (warnings.length > 0) {
  console.error(warnings.join('\n'))
  process.exitCode = 1
}
