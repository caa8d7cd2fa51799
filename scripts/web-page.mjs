import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

import { build } from 'esbuild'

/** The page of `@parley/web`: its files, and what starts it. `root` is the work tree's folder. */

const folderIn = (root) => join(root, 'packages', 'web')

/** The indentation of templates would be a large part of the bundle, and means nothing. */
const withoutIndentation = {
  name: 'without-indentation',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]packages[/\\]web[/\\]src[/\\].*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(/\n[ \t]+/g, '\n'),
      loader: 'ts',
    }))
  },
}

/** The style sheet of formulas; their fonts are added to the document by script. */
const formulaStyle = {
  name: 'formula-style',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]katex\.min\.css$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(/@font-face\s*\{[^}]*\}/g, ''),
      loader: 'text',
    }))
  },
}

/** Bundles for browsers; what is shown on demand is in files of its own. */
function bundle(root, entryPoints, names) {
  return build({
    absWorkingDir: folderIn(root),
    entryPoints,
    outdir: 'out',
    ...names,
    bundle: true,
    splitting: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    conditions: ['@parley/source'],
    plugins: [withoutIndentation, formulaStyle],
    // They are in modules, which every server, bundler and policy knows.
    loader: { '.woff2': 'base64' },
    legalComments: 'eof',
    metafile: true,
    write: false,
    logLevel: 'warning',
  })
}

function filesOf({ outputFiles }) {
  return Object.fromEntries(outputFiles.map(({ path, text }) => [basename(path), text]))
}

/**
 * Bundles the page from its sources, and compresses its files.
 *
 * @param quality of the compression: the highest one takes seconds.
 * @returns the text of a `PageFiles`.
 */
export async function bundlePage(root, quality = constants.BROTLI_MAX_QUALITY) {
  const bundled = await bundle(
    root,
    { page: 'src/page-app/start.ts' },
    { entryNames: '[name]-[hash]', chunkNames: '[name]-[hash]' },
  )
  const [start] = Object.entries(bundled.metafile.outputs).find(
    ([, { entryPoint }]) => entryPoint === 'src/page-app/start.ts',
  )
  const css = readFileSync(join(folderIn(root), 'src/page-app/page.css'), 'utf8')
  const style = `page-${createHash('sha256').update(css).digest('hex').slice(0, 8)}.css`
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality }
  const files = Object.fromEntries(
    Object.entries({ ...filesOf(bundled), [style]: css }).map(([name, text]) => {
      const br = brotliCompressSync(text, { params }).toString('base64')
      return [name, { br, gzip: gzipSync(text, { level: 9 }).toString('base64') }]
    }),
  )
  return JSON.stringify({ start: basename(start), style, files })
}

/**
 * The elements for pages without a bundler.
 *
 * @returns the texts of the module `parley.min.js` and of the files that it imports, by name, and
 *   what they were made of. `parley-formulas.js` is also used by those who bundle the elements.
 */
export async function bundleElements(root) {
  const bundled = await bundle(
    root,
    { 'parley.min': 'src/index.ts', 'parley-formulas': 'src/formulas/index.ts' },
    { chunkNames: 'parley-[hash]' },
  )
  return { files: filesOf(bundled), metafile: bundled.metafile }
}

/** Bundles the page for `@parley/web/page` as it is used from its sources. */
export async function writePage(root) {
  const folder = join(folderIn(root), 'dist')
  const file = join(folder, 'page.json')
  mkdirSync(folder, { recursive: true })
  const text = await bundlePage(root, constants.BROTLI_MIN_QUALITY)
  // Another process may be reading it.
  writeFileSync(`${file}.${process.pid}`, text)
  renameSync(`${file}.${process.pid}`, file)
}
