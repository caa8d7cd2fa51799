import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { runCommand } from './run-command.mjs'

/** The supported versions besides the one that everything runs on. */
export const newestNode = '24.21.0'
export const middleNode = '22.23.3'

/**
 * Installs a version of Node into a folder. The package `node` holds the program itself, so nothing
 * has to be downloaded from elsewhere.
 *
 * @returns a folder for `PATH` in which `node` is that version.
 */
export async function installNode(folder, version) {
  const project = join(folder, `node-${version}`)
  mkdirSync(join(project, 'bin'), { recursive: true })
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'one-node', private: true }))
  await runCommand('npm', ['install', '--no-audit', '--no-fund', `node@${version}`], {
    cwd: project,
  })
  const program = join(project, 'node_modules/node/bin/node')
  const printed = await runCommand(program, ['--version'])
  if (printed.trim() !== `v${version}`) throw new Error(`It says that it is ${printed}`)
  symlinkSync(program, join(project, 'bin/node'))
  return join(project, 'bin')
}
