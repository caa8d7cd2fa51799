import { Visitor } from 'oxc-parser'

import { filesBelow, readText, source, type SourceFile } from './source-files.js'

const groups = new Set(['everyHost', 'everySeparateHost'])

/** The files in which some suite calls `everyHost('<id>', …)`, by the ids of operations. */
export function casesOfOperations(files: readonly SourceFile[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const file of files) {
    const ids = new Set<string>()
    new Visitor({
      CallExpression({ callee, arguments: [id] }) {
        if (callee.type !== 'Identifier' || !groups.has(callee.name)) return
        if (id?.type === 'Literal' && typeof id.value === 'string') ids.add(id.value)
      },
    }).visit(file.parsed.program)
    for (const id of ids) found.set(id, [...(found.get(id) ?? []), file.path])
  }
  return found
}

export function conformanceSuites(): SourceFile[] {
  return filesBelow('test/conformance')
    .filter((path) => path.endsWith('.ts'))
    .map((path) => source(path, readText(path)))
}
