import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { isAbsolute, join, parse, sep } from 'node:path'
import { pathToFileURL } from 'node:url'

import { build, stop } from 'esbuild'

/**
 * Compiles test files and programs that tests start, with everything of the work tree that they
 * import: all together, so that each module is compiled once. A loader that compiles modules when
 * they are imported takes several seconds in each process.
 *
 * Everything of `node_modules` stays outside and is imported from where it is. `import.meta.url`
 * remains that of the source, and so do the places in stack traces (`--enable-source-maps`).
 *
 * @param root of the work tree: absolute, without symbolic links.
 * @param files relative to it: the output has the same path, with the ending `.mjs`. The output of an
 *   absolute one has its name alone.
 * @param folder where the output goes.
 */
export async function compileTests(root, files, folder) {
  const { resolve } = createRequire(join(root, 'packages', 'core', 'package.json'))
  try {
    await build({
      absWorkingDir: root,
      entryPoints: files.map((file) =>
        isAbsolute(file)
          ? { in: file, out: parse(file).name }
          : { in: join(root, file), out: file.replace(/[.]\w+$/, '') },
      ),
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      platform: 'node',
      target: 'node20.19',
      format: 'esm',
      splitting: true,
      chunkNames: 'chunks/[name]-[hash]',
      conditions: ['@parley/source'],
      keepNames: true,
      // Imports of dependencies move to the start of a chunk, and decorators need this before those.
      banner: { js: `import ${JSON.stringify(pathToFileURL(resolve('reflect-metadata')).href)}` },
      sourcemap: 'linked',
      sourcesContent: false,
      logLevel: 'silent',
      plugins: [dependenciesOutside(root), ownUrls(root)],
    })
  } finally {
    // Its process would hold on to its memory during the tests.
    await stop()
  }
}

/** Node imports a dependency from the place at which the importing file finds it. */
function dependenciesOutside(root) {
  const isOwn = (path) => path.startsWith(root + sep) && !path.includes(`${sep}node_modules${sep}`)
  return {
    name: 'dependencies-outside',
    setup(plugin) {
      // Neither a relative nor an absolute path.
      plugin.onResolve(
        { filter: /^[^./]/ },
        async ({ path, kind, importer, resolveDir, pluginData }) => {
          if (pluginData === 'resolving') return undefined
          const found = await plugin.resolve(path, {
            kind,
            importer,
            resolveDir,
            pluginData: 'resolving',
          })
          // What is not installed has to fail when it is imported, not before.
          if (found.errors.length > 0) return { path, external: true }
          if (found.external || isOwn(found.path)) return found
          return { path: pathToFileURL(found.path).href, external: true }
        },
      )
    },
  }
}

/** A file that looks for others beside it, or for packages, starts from its own place. */
function ownUrls(root) {
  return {
    name: 'own-urls',
    setup(plugin) {
      const filter = new RegExp(
        `^${escapePattern(root + sep)}(test|packages|examples|scripts)/.*[.](ts|mjs)$`,
      )
      plugin.onLoad({ filter }, async ({ path }) => {
        const text = await readFile(path, 'utf8')
        if (!text.includes('import.meta.url')) return undefined
        const url = JSON.stringify(pathToFileURL(path).href)
        // TypeScript contains JavaScript.
        return { contents: text.replaceAll('import.meta.url', url), loader: 'ts' }
      })
    },
  }
}

function escapePattern(text) {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
