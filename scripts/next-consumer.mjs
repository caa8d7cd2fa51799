import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { linkSqlite } from './package-consumers.mjs'
import { root, runCommand } from './run-command.mjs'

/** Exact, because each is 340 MB in the caches of those who run this. */
const versions = { next: '16.4.6', react: '19.3.1', 'react-dom': '19.3.1' }

/**
 * Runs the product of the recipe for Next.js with the packed packages, in development. Next.js is
 * too large for the dependencies of the workspace.
 */
export async function useWithNext(folder, tarballs) {
  cpSync(join(root, 'scripts', 'next-product'), folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const core = tarballs.find((path) => path.includes('parley-core-'))
  const named = Object.entries(versions).map(([name, version]) => `${name}@${version}`)
  await runCommand(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', core, ...named],
    { cwd: folder },
  )
  linkSqlite(folder)
  // The second start finds the organization of the first.
  for (const _ of ['first', 'second']) {
    await runCommand(process.execPath, ['use.mjs'], {
      cwd: folder,
      environment: { NODE_ENV: 'development', NEXT_TELEMETRY_DISABLED: '1' },
    })
  }
}
