import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { filesBelow, readText } from './source-files.js'

const prefix = '@parley/'

interface Manifest {
  readonly dependencies?: Record<string, string>
  readonly peerDependencies?: Record<string, string>
  readonly peerDependenciesMeta?: Record<string, { readonly optional?: boolean }>
}

/** The packages without which a package cannot be installed from its tarball, or does not work. */
function neededBy(name: string): string[] {
  const manifest = JSON.parse(
    readText(`packages/${name.slice(prefix.length)}/package.json`),
  ) as Manifest
  const peers = Object.keys(manifest.peerDependencies ?? {}).filter(
    (peer) => manifest.peerDependenciesMeta?.[peer]?.optional !== true,
  )
  const own = Object.keys(manifest.dependencies ?? {}).filter((each) => each.startsWith(prefix))
  return [...own, ...peers]
}

/** The commands of a page: the lines of its blocks of shell, and code that begins with a program. */
function commandsOf(page: string): string[] {
  const blocks = [...page.matchAll(/^```sh\n([^]*?)^```$/gm)].flatMap(([, text = '']) =>
    text.split('\n'),
  )
  const inline = [...page.matchAll(/`((?:npm|npx|pnpm|node|curl) [^`\n]+)`/g)]
  return [...blocks, ...inline.map(([, text = '']) => text)]
}

describe('the commands that pages show', () => {
  it('have no placeholders that a shell reads as redirections', () => {
    const pages = [...filesBelow('docs'), ...filesBelow('packages'), 'README.md', 'CONTRIBUTING.md']
    const wrong = pages
      .filter((path) => path.endsWith('.md'))
      .flatMap((path) =>
        commandsOf(readText(path))
          .filter((command) => /<[a-z]/i.test(command.replaceAll(/'[^']*'/g, '')))
          .map((command) => `${path}: ${command}`),
      )

    assert.deepEqual(wrong, [])
  })

  it('install packages together with those that they need', () => {
    const page = readText('docs/get-started.md')
    const rows = [...page.matchAll(/^\| [^|]+ \| ((?:`@parley\/\w+`(?:, )?)+) \| ([^|]*)\|$/gm)]
    const named = (cell: string): string[] =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

    assert.ok(rows.length >= 6)
    for (const [, own = '', others = ''] of rows) {
      const together = new Set([...named(own), ...named(others)])
      const missing = named(own)
        .flatMap(neededBy)
        .filter((name) => !together.has(name))
      assert.deepEqual(missing, [], own)
    }
  })
})
