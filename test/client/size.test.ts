import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'

import { build } from 'esbuild'

import { root } from '../architecture/source-files.js'

const maxBytes = 25 * 1024

describe('the files of @parley/client', () => {
  it('are small enough for a page, and need nothing of Node.js', async (test) => {
    const { outputFiles } = await build({
      absWorkingDir: root,
      entryPoints: ['packages/client/src/index.ts'],
      bundle: true,
      minify: true,
      platform: 'browser',
      format: 'esm',
      target: 'es2022',
      write: false,
    })
    const bytes = gzipSync(outputFiles[0]?.contents ?? '').length
    test.diagnostic(`${bytes} bytes with gzip, at most ${maxBytes}`)
    assert.ok(bytes > 0 && bytes <= maxBytes, `${bytes} bytes`)
  })
})
