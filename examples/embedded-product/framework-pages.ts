import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

import { build, type Plugin } from 'esbuild'
import { compileScript, parse } from 'vue/compiler-sfc'

const folder = fileURLToPath(new URL('pages/', import.meta.url))

const sources: Record<string, string> = {
  react: 'react.tsx',
  vue: 'vue.ts',
  angular: 'angular.ts',
}

/** A product's bundler takes them from `node_modules`; the examples bundle their sources once. */
const bundledElements: Plugin = {
  name: 'bundled-elements',
  setup(builder) {
    builder.onResolve({ filter: /^@parley\/web$/ }, () => ({
      path: '/parley/parley.min.js',
      external: true,
    }))
  },
}

/** Compiles components in files of their own, as Vue's own bundler plugins do. */
const vueFiles: Plugin = {
  name: 'vue-files',
  setup(builder) {
    builder.onLoad({ filter: /\.vue$/ }, async ({ path }) => {
      const { descriptor } = parse(await readFile(path, 'utf8'), { filename: path })
      const { content } = compileScript(descriptor, {
        id: basename(path),
        inlineTemplate: true,
        templateOptions: {
          compilerOptions: { isCustomElement: (tag) => tag.startsWith('parley-') },
        },
      })
      return { contents: content, loader: 'ts' }
    })
  },
}

let bundle: Promise<ReadonlyMap<string, string>> | undefined

/**
 * The scripts of the shop's page as products write it with a framework, by name. They are bundled
 * when they are wanted first.
 */
export function frameworkScripts(): Promise<ReadonlyMap<string, string>> {
  bundle ??= bundleScripts()
  return bundle
}

async function bundleScripts(): Promise<ReadonlyMap<string, string>> {
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: Object.values(sources),
    outdir: 'out',
    bundle: true,
    splitting: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    define: {
      'process.env.NODE_ENV': '"production"',
      __VUE_OPTIONS_API__: 'false',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
    plugins: [bundledElements, vueFiles],
    write: false,
    logLevel: 'warning',
  })
  const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]))
  return texts.set('plain.js', await readFile(`${folder}plain.js`, 'utf8'))
}

/** The shop's page without a framework, or the one that a framework fills. */
export function frameworkPage(name: string): string | undefined {
  const isPlain = name === 'plain'
  if (!isPlain && !Object.hasOwn(sources, name)) return undefined
  const content = `<h1>The Shop</h1>
<p role="status">Unread: 0</p>
<button id="order" disabled>Order tea</button>
<ul></ul>
<parley-chat url="/chat" topic="order" hidden><button slot="header">Order again</button></parley-chat>
<ol></ol>`
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>The Shop</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/shop.css">
${isPlain ? '<script type="module" src="/parley/parley.min.js"></script>' : ''}
<script type="module" src="/pages/${name}.js"></script>
<main id="shop">${isPlain ? content : ''}</main>
</html>
`
}
