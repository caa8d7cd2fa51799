import { Visitor } from 'oxc-parser'

import { finding, type Finding, type SourceFile } from './source-files.js'

/** The files that may use the column: the rule, and where it is stored, changed and documented. */
const allowed = [
  'packages/core/src/resources/channels/message-permissions/reading-rule.ts',
  'packages/core/src/resources/channels/channels/channel-repository.ts',
  'packages/core/src/resources/channels/channels/channels-table.ts',
  'packages/core/src/resources/channels/channels/channel-objects.ts',
  'packages/core/src/resources/channels/channel-creation/channel-creation.ts',
  'packages/core/src/resources/channels/channel-administration/',
  'packages/core/src/resources/messages/notification-messages/notification-texts.ts',
  'packages/core/src/resources/administration/import/channel-loader.ts',
  'packages/core/src/resources/administration/organization-lifecycle/first-channels.ts',
]
const problem =
  'ask mayRead, mayReadWholeHistory, isHistoryProtected or readableSql of message-permissions who may read what'

/** The rule for reading a message is in one place. */
export function findOtherReadingRules(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => !allowed.some((start) => path.startsWith(start)))
    .flatMap((file) => {
      const found: Finding[] = []
      const note = (text: unknown, offset: number): void => {
        if (typeof text === 'string' && text.includes('is_history_shared')) {
          found.push(finding(file, offset, problem))
        }
      }
      new Visitor({
        Identifier: ({ name, start }) => note(name, start),
        Literal: ({ value, start }) => note(value, start),
        TemplateElement: ({ value, start }) => note(value.raw, start),
      }).visit(file.parsed.program)
      return found
    })
}

/** The permissions of callers are checked again in the transactions that rely on them. */
export function findUncheckedCallers(files: readonly SourceFile[]): Finding[] {
  const name = 'actor.organizationId'
  return files.flatMap((file) => {
    const found: Finding[] = []
    new Visitor({
      CallExpression({ callee, arguments: [first] }) {
        if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
        if (callee.property.name !== 'run' || first === undefined) return
        if (file.text.slice(first.start, first.end) !== name) return
        found.push(finding(file, first.start, 'use unitOfWork.runFor(actor, …)'))
      },
    }).visit(file.parsed.program)
    return found
  })
}
