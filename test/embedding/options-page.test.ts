import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'

const root = new URL('../../', import.meta.url)

/** The table of options, from the comments of their interface. */
function tableOf(source: string): string {
  const body = /export interface AllServerOptions \{\n([^]*?)\n\}/.exec(source)?.[1] ?? ''
  const rows = [...body.matchAll(/\/\*\*([^]*?)\*\/\s*readonly (\w+)(\??):/g)].map(
    ([, comment = '', name, optional]) => {
      const words = comment
        .replace(/\n\s*\*/g, ' ')
        .replace(/\s+/g, ' ')
        .trim()
      const [meaning = '', byDefault] = words.split(/ ?@default /)
      const standard = optional === '' ? 'required' : (byDefault ?? '')
      return `| \`${name}\` | ${meaning} | ${standard} |`
    },
  )
  return ['| option | meaning | default |', '| --- | --- | --- |', ...rows].join('\n')
}

describe('docs/embedding.md', () => {
  it('lists every option with its default as the code does', async () => {
    const source = await readFile(new URL('packages/core/src/options.ts', root), 'utf8')
    const page = await readFile(new URL('docs/embedding.md', root), 'utf8')

    const written = /<!-- options: .*? -->\n\n?([^]*?)\n\n?<!-- end of options -->/.exec(page)?.[1]

    const plain = (table: string): string => table.replace(/ +/g, ' ')
    assert.equal(plain(written ?? ''), plain(tableOf(source)))
  })
})
