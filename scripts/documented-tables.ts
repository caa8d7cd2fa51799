import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { table } from './markdown-page.js'

interface DocumentedTable {
  readonly source: string
  readonly head: readonly string[]
  readonly rowsOf: (source: string) => readonly (readonly string[])[]
}

/** Tables of pages that follow from comments of the code, by the name in the page. */
const tables: Readonly<Record<string, DocumentedTable>> = {
  options: {
    source: 'packages/core/src/server/options.ts',
    head: ['option', 'meaning', 'default'],
    rowsOf: optionRows,
  },
  quotas: {
    source: 'packages/core/src/domain/quotas.ts',
    head: ['quota', 'what is counted', 'limit'],
    rowsOf: quotaRows,
  },
}

/** A page in which these tables are between `<!-- <name>: … -->` and `<!-- end of <name> -->`. */
export function withTables(root: string, text: string): string {
  return text.replaceAll(
    /^<!-- (\w+): written from .+ -->\n[^]*?^<!-- end of \1 -->$/gm,
    (_, name: string) => {
      const known = tables[name]
      if (known === undefined) throw new Error(`There is no table ${name}`)
      const { source, head, rowsOf } = known
      const rows = rowsOf(readFileSync(join(root, source), 'utf8'))
      if (rows.length === 0) throw new Error(`${source} has no ${name}`)
      const begin = `<!-- ${name}: written from ${source} by \`pnpm docs:generate\` -->`
      return `${begin}\n\n${table(head, rows)}\n\n<!-- end of ${name} -->`
    },
  )
}

/** The members of the interface, with their comments. */
function optionRows(source: string): string[][] {
  const body = /export interface AllServerOptions[^{]* \{\n([^]*?)\n\}/.exec(source)?.[1] ?? ''
  return [...body.matchAll(/\/\*\*([^]*?)\*\/\s*readonly (\w+)(\??):/g)].map(
    ([, comment = '', name, optional]) => {
      const words = comment
        .replace(/\n\s*\*/g, ' ')
        .replace(/\s+/g, ' ')
        .trim()
      const [meaning = '', byDefault] = words.split(/ ?@default /)
      return [`\`${name}\``, meaning, optional === '' ? 'required' : (byDefault ?? '')]
    },
  )
}

function quotaRows(source: string): string[][] {
  return [...source.matchAll(/\/\*\* ([^*]+?) \*\/\n {2}(\w+): quota\(([\d_]+),/g)].map(
    ([, meaning = '', name, limit = '']) => [`\`${name}\``, meaning, limit.replaceAll('_', '')],
  )
}
