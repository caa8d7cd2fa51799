import { Visitor } from 'oxc-parser'

import { finding, type Finding, type SourceFile } from './source-files.js'

const typingLayers = ['packages/core/src/storage/', 'packages/core/src/http/']

/**
 * Every `value as Type` outside the typing layers, except `as const`, that has no reason: a line
 * comment in the same line or in the line before.
 */
export function findCasts(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => !typingLayers.some((start) => path.startsWith(start)))
    .flatMap((file) => {
      const found: Finding[] = []
      const lines = file.text.split('\n')
      new Visitor({
        TSAsExpression({ start, end, typeAnnotation }) {
          if (file.text.slice(typeAnnotation.start, end) === 'const') return
          const line = file.text.slice(0, start).split('\n').length - 1
          if ([lines[line - 1], lines[line]].some((text) => text?.includes('// '))) return
          found.push(
            finding(file, start, 'describe the value with a type, or say why this is sound'),
          )
        },
      }).visit(file.parsed.program)
      return found
    })
}

/** The rows of queries have types: of their table, or as `select<Row[]>(…)` names them. */
export function findCastRows(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => path.endsWith('-repository.ts'))
    .flatMap((file) => {
      const found: Finding[] = []
      new Visitor({
        TSAsExpression({ start, expression, typeAnnotation }) {
          const text = file.text.slice(expression.start, expression.end)
          const isOfQuery = /\bawait\b|\.(select|first|distinct|query|queryAs|raw)\b/.test(text)
          if (isOfQuery || typeAnnotation.type === 'TSNeverKeyword') {
            found.push(finding(file, start, 'name the type of the rows: select<Row[]>(…)'))
          }
        },
      }).visit(file.parsed.program)
      return found
    })
}
