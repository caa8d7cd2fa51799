import { Visitor } from 'oxc-parser'

import { finding, type Finding, type SourceFile } from './source-files.js'

/**
 * The number of casts there may be outside the layers that turn unknown values into typed ones. It
 * may only be lowered.
 */
export const maxCasts = 294

const typingLayers = ['packages/core/src/storage/', 'packages/core/src/http/']

/** Every `value as Type`, except `as const`, outside the typing layers. */
export function findCasts(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => !typingLayers.some((start) => path.startsWith(start)))
    .flatMap((file) => {
      const found: Finding[] = []
      new Visitor({
        TSAsExpression({ start, end, typeAnnotation }) {
          if (file.text.slice(typeAnnotation.start, end) === 'const') return
          found.push(finding(file, start, 'describe the value with a type instead of a cast'))
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
