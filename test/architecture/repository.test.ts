import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'

import { filesBelow, readText, root } from './source-files.js'

/** Paths that exist on one machine only, and the addresses of package registries. */
const privatePlaces = [
  // A path, not the end of a longer one or of an address.
  new RegExp(`(?<![\\w.:@/)}\\]*-])/(?:${['work', 'root'].join('|')})/`),
  new RegExp(`(?<![\\w.:@/)}\\]*-])/(?:${['home', 'Users'].join('|')})/[a-z][\\w-]*/`),
  new RegExp(`https?://[^\\s'"]*\\b(?:${['npmjs', 'verdaccio', 'artifactory'].join('|')})`, 'i'),
  /https?:\/\/registry\./,
]

function findPrivatePlaces(path: string, text: string): string[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      privatePlaces.some((place) => place.test(line))
        ? [`${path}:${index + 1}: ${line.trim().slice(0, 120)}`]
        : [],
    )
}

type Conditions = string | { readonly [condition: string]: Conditions }

interface Manifest {
  name?: string
  private?: boolean
  type?: string
  version?: string
  license?: string
  main?: string
  types?: string
  engines?: { node?: string }
  exports?: Record<string, Conditions>
  publishConfig?: { exports?: Record<string, Conditions> }
}

/** An ES module and a CommonJS file, each with its own declarations. */
function conditionsOf(entry: string): Conditions {
  return {
    import: { types: `./dist/${entry}.d.mts`, default: `./dist/${entry}.mjs` },
    require: { types: `./dist/${entry}.d.ts`, default: `./dist/${entry}.js` },
  }
}

/** The problems of the `exports` of a published package. */
function findWrongExports(path: string, manifest: Manifest): string[] {
  const found: string[] = []
  const check = (isRight: boolean, problem: string) => {
    if (!isRight) found.push(`${path}: ${problem}`)
  }
  const { exports = {}, publishConfig } = manifest
  check(manifest.type === 'module', '"type" is not "module"')
  check(manifest.engines?.node !== undefined, 'no "engines"')
  check(manifest.license !== undefined, 'no "license"')
  check(exports['.'] !== undefined, 'no "." in "exports"')
  check(exports['./package.json'] === './package.json', 'no "./package.json" in "exports"')

  check(manifest.main === './dist/index.js', 'no "main" for tools that do not know "exports"')
  check(manifest.types === './dist/index.d.ts', 'no "types" for them')

  const published: typeof exports = {}
  for (const [subpath, conditions] of Object.entries(exports)) {
    if (typeof conditions === 'string') {
      check(subpath.endsWith('.json'), `${subpath} has no conditions`)
      published[subpath] = conditions
      continue
    }
    const { '@parley/source': sourceFile } = conditions
    const path = typeof sourceFile === 'string' ? sourceFile : ''
    const [, entry = ''] = /^\.\/src\/(.+)\.ts$/.exec(path) ?? []
    check(entry !== '', `${subpath} names no source`)
    published[subpath] = conditionsOf(entry)
    // Conditions are matched in order.
    const expected = { '@parley/source': sourceFile, ...Object(published[subpath]) }
    check(
      JSON.stringify(conditions) === JSON.stringify(expected),
      `${subpath} needs @parley/source, import and require, in this order, with types and default`,
    )
  }
  check(
    JSON.stringify(publishConfig?.exports) === JSON.stringify(published),
    '"publishConfig" must hold the same "exports" without @parley/source',
  )
  return found
}

describe('the repository', () => {
  it('contains no path that exists on one machine only', () => {
    const found = filesBelow('.').flatMap((path) => {
      const text = readText(path)
      return text.includes('\0') ? [] : findPrivatePlaces(path, text)
    })

    assert.deepEqual(found, [])
  })

  it('publishes packages that resolve from source, with types and without', () => {
    const manifests = filesBelow('packages').filter((path) =>
      /^packages\/[^/]+\/package\.json$/.test(path),
    )

    assert.ok(manifests.length >= 3, `only ${manifests.length} packages`)
    const found = manifests.flatMap((path) => {
      const manifest = JSON.parse(readText(path)) as Manifest
      return manifest.private ? [] : findWrongExports(path, manifest)
    })
    assert.deepEqual(found, [])
  })

  it('has a README with the version and the license of the packages', () => {
    const manifest = JSON.parse(readText('packages/core/package.json')) as Manifest
    const readme = readText('README.md')

    assert.ok(readme.includes(`The version is ${manifest.version ?? ''},`))
    assert.ok(readme.includes(`the license is [${manifest.license ?? ''}](LICENSE)`))
  })

  it('contains the usual files of an open source project', () => {
    const missing = ['LICENSE', 'CONTRIBUTING.md', 'package.json', 'pnpm-lock.yaml'].filter(
      (path) => !existsSync(join(root, path)),
    )

    assert.deepEqual(missing, [])
  })
})

describe('the rules about the repository', () => {
  it('report a private path', () => {
    // Concatenated, so that this file does not contain one itself.
    const [slash, npm] = ['/', 'npm']
    for (const line of [
      `import '${slash}work/main/a.js'`,
      `cd ${slash}root/project`,
      `"file://${slash}home/alice/a.js"`.replace('file://', ''),
      `tarball: https:${slash}/registry.example.com/a.tgz`,
      `see https:${slash}/www.${npm}js.com/package/a`,
    ]) {
      assert.equal(findPrivatePlaces('a.md', line).length, 1, line)
    }
    for (const line of [
      ['https://chat.example', 'work', 'items'].join('/'),
      '../works/a',
      'net/working',
      '/usr/bin',
    ]) {
      assert.deepEqual(findPrivatePlaces('a.md', line), [], line)
    }
  })

  it('report a package whose exports do not resolve', () => {
    const published = conditionsOf('index')
    const conditions = { '@parley/source': './src/index.ts', ...Object(published) }
    const manifest = (exported: Conditions): Manifest => ({
      type: 'module',
      license: 'MIT',
      main: './dist/index.js',
      types: './dist/index.d.ts',
      engines: { node: '>=20.19' },
      exports: { '.': exported, './package.json': './package.json' },
      publishConfig: { exports: { '.': published, './package.json': './package.json' } },
    })
    const { require: required, ...withoutRequire } = conditions

    assert.deepEqual(findWrongExports('package.json', manifest(conditions)), [])
    assert.notDeepEqual(findWrongExports('package.json', manifest(withoutRequire)), [])
    assert.notDeepEqual(findWrongExports('package.json', manifest(published)), [])
    assert.notDeepEqual(
      findWrongExports('package.json', manifest({ require: required, ...withoutRequire })),
      [],
    )
    assert.notDeepEqual(
      findWrongExports('package.json', { ...manifest(conditions), publishConfig: {} }),
      [],
    )
  })
})
