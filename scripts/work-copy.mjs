import { cpSync, lstatSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'

const installed = 'node_modules'
/** Built, or none of the project's files. */
const leftOut = new Set(['.git', 'dist', 'coverage', 'tmp', 'tarballs'])

/**
 * Copies the work tree as it is, changes that are not committed included, so that a program can
 * change files without touching those of the user. Installed packages are linked and not copied;
 * the packages of the workspace itself are those of the copy.
 *
 * @param root absolute path of the work tree.
 * @param target absolute path of an empty folder outside it.
 */
export function copyWorkTree(root, target) {
  const installedFolders = []
  cpSync(root, target, {
    recursive: true,
    filter: (path) => {
      const name = basename(path)
      if (name === installed) installedFolders.push(path)
      return name !== installed && !leftOut.has(name)
    },
  })
  for (const folder of installedFolders) linkPackages(folder, root, target)
}

/** Links what is in a folder of installed packages, scoped ones (`@scope/name`) too. */
function linkPackages(folder, root, target) {
  mkdirSync(join(target, relative(root, folder)), { recursive: true })
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (name.startsWith('@')) linkPackages(path, root, target)
    else symlinkSync(linkTarget(path, root, target), join(target, relative(root, path)))
  }
}

function linkTarget(path, root, target) {
  if (!lstatSync(path).isSymbolicLink()) return path
  const real = realpathSync(path)
  const inRoot = relative(realpathSync(root), real)
  const isOfWorkspace = !inRoot.startsWith(`..${sep}`) && !inRoot.split(sep).includes(installed)
  return isOfWorkspace
    ? relative(dirname(join(target, relative(root, path))), join(target, inRoot))
    : real
}
