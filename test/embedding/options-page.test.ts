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

/** The table of quotas, from the comments of their definitions. */
function quotaTableOf(source: string): string {
  const rows = [...source.matchAll(/\/\*\* ([^*]+?) \*\/\n {2}(\w+): quota\(([\d_]+),/g)].map(
    ([, meaning, name, limit = '']) =>
      `| \`${name}\` | ${meaning} | ${limit.replaceAll('_', '')} |`,
  )
  return ['| quota | what is counted | limit |', '| --- | --- | --- |', ...rows].join('\n')
}

describe('docs/embedding.md', () => {
  it('lists every quota with the limit in the code', async () => {
    const source = await readFile(new URL('packages/core/src/domain/quotas.ts', root), 'utf8')
    const page = await readFile(new URL('docs/embedding.md', root), 'utf8')

    const written = /<!-- quotas: .*? -->\n\n?([^]*?)\n\n?<!-- end of quotas -->/.exec(page)?.[1]

    const plain = (table: string): string => table.replace(/ +/g, ' ')
    const expected = quotaTableOf(source)
    assert.equal(plain(written ?? ''), plain(expected))
    assert.equal(expected.split('\n').length - 2, source.match(/: quota\(/g)?.length)
  })

  it('lists every option with the default in the code', async () => {
    const source = await readFile(new URL('packages/core/src/options.ts', root), 'utf8')
    const page = await readFile(new URL('docs/embedding.md', root), 'utf8')

    const written = /<!-- options: .*? -->\n\n?([^]*?)\n\n?<!-- end of options -->/.exec(page)?.[1]

    const plain = (table: string): string => table.replace(/ +/g, ' ')
    assert.equal(plain(written ?? ''), plain(tableOf(source)))
  })
})
