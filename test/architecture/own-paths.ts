import { Visitor } from 'oxc-parser'

import { finding, type Finding, type SourceFile } from './source-files.js'

/** Where such texts are not links to this server. */
const allowed = [
  'packages/core/src/kernel/chat-address.ts',
  'packages/client/src/api-path.ts',
  // Groups operations by their declared paths.
  'packages/core/src/resources/administration/api-description/api-topics.ts',
  // The API of another server.
  'packages/core/src/resources/notifications/push-relay/http-push-relay.ts',
]
const problem = 'build the path with ChatAddress, so that it is below the base path of the chat'
const served = /^\/(?:api\/v1|user_uploads|user_avatars|external_content)(?:\/|$)/

/** Every path in an answer begins with the option `basePath`. */
export function findOtherPaths(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => !allowed.includes(path))
    .flatMap((file) => {
      const found: Finding[] = []
      /** Starts of the paths that operations declare, and of those that `ChatAddress` gets. */
      const proper = new Set<number>()
      const note = (text: unknown, start: number, offset: number): void => {
        if (typeof text !== 'string' || !served.test(text) || proper.has(start)) return
        found.push(finding(file, offset, problem))
      }
      new Visitor({
        Property: ({ key, value }) => {
          if (key.type === 'Identifier' && key.name === 'path') proper.add(value.start)
        },
        CallExpression: ({ callee, arguments: [path] }) => {
          if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
          if (path && ['api', 'file'].includes(callee.property.name)) proper.add(path.start)
        },
        Literal: ({ value, start }) => note(value, start, start),
        TemplateLiteral: ({ quasis, start }) => {
          for (const quasi of quasis) note(quasi.value.raw, start, quasi.start)
        },
      }).visit(file.parsed.program)
      return found
    })
}
