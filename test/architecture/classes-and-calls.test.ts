import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { findCastRows, findCasts } from './casts.js'
import {
  findBareParameters,
  findIgnoredConflicts,
  findInjectedFunctions,
  findLongFiles,
  findMisnamedErrors,
  findProcessSideEffects,
  findSharedInstances,
  findSqlOutsideRepositories,
  findUnendedChains,
  findUnfinishedWork,
} from './classes-and-calls.js'
import { findOtherPaths } from './own-paths.js'
import { findOtherReadingRules, findUncheckedCallers } from './reading-rule.js'
import { readProductSources, source, type Finding, type SourceFile } from './source-files.js'

const rules = {
  'injected classes declare the token of each parameter': findBareParameters,
  'dependencies are injected themselves, not functions that resolve them': findInjectedFunctions,
  'servers share no instance': findSharedInstances,
  'the library has no side effects on the process': findProcessSideEffects,
  'only repositories build queries': findSqlOutsideRepositories,
  'no conflict is ignored': findIgnoredConflicts,
  'no promise rejects that nobody waits for': findUnendedChains,
  'no work is left unfinished': findUnfinishedWork,
  'errors are logged under the key err': findMisnamedErrors,
  'no file is longer than 300 lines': findLongFiles,
  'the rule for reading a message is in one place': findOtherReadingRules,
  'callers are checked in their transactions': findUncheckedCallers,
  'paths in answers are below the base path': findOtherPaths,
  'rows of queries are typed, not cast': findCastRows,
  'casts outside storage and http have a reason': findCasts,
}

describe('the sources of the packages', () => {
  for (const [title, rule] of Object.entries(rules)) {
    it(title, () => assert.deepEqual(rule(readProductSources()), []))
  }
})

type Rule = (files: readonly SourceFile[]) => Finding[]

function reports(rule: Rule, path: string, text: string) {
  assert.equal(rule([source(path, text)]).length, 1, `not reported: ${text}`)
}

function accepts(rule: Rule, path: string, text: string) {
  assert.deepEqual(rule([source(path, text)]), [], `wrongly reported: ${text}`)
}

describe('the rules about classes and calls', () => {
  const path = 'packages/core/src/resources/personal/drafts/draft-service.ts'

  it('report a second rule for reading, and a caller without a check', () => {
    reports(findOtherReadingRules, path, 'if (channel.is_history_shared) read()')
    reports(findOtherReadingRules, path, 'const sql = `c.is_history_shared = ?`')
    accepts(findOtherReadingRules, path, 'if (isHistoryProtected(channel)) read()')
    reports(findUncheckedCallers, path, 'unitOfWork.run(actor.organizationId, work)')
    accepts(findUncheckedCallers, path, 'unitOfWork.runFor(actor, work)')
  })

  it('report a path that is not below the base path', () => {
    reports(findOtherPaths, path, "const url = origin + '/api/v1/sign_on'")
    reports(findOtherPaths, path, "const url = '/user_avatars/default/unknown.png'")
    accepts(findOtherPaths, path, "const url = address.file('/user_uploads/7')")
    accepts(findOtherPaths, path, "defineOperation({ path: '/user_uploads' })")
  })

  it('report a cast, and rows whose type is a cast', () => {
    const repository = 'packages/core/src/resources/personal/drafts/draft-repository.ts'

    reports(findCasts, path, 'const row = value as DraftRow')
    accepts(findCasts, path, '// The version was checked.\nconst row = value as DraftRow')
    accepts(findCasts, path, 'const row = value as DraftRow // The version was checked.')
    accepts(findCasts, path, "const kinds = ['a', 'b'] as const")
    accepts(findCasts, 'packages/core/src/storage/rows/scope.ts', 'const row = value as DraftRow')
    reports(findCastRows, repository, 'const rows = (await query) as DraftRow[]')
    reports(findCastRows, repository, "const rows = query.select('id') as Promise<DraftRow[]>")
    reports(findCastRows, repository, 'query.update(changes as never)')
    accepts(findCastRows, repository, 'const settings = JSON.parse(json) as Settings')
  })

  it('report a constructor parameter without a token', () => {
    const service = (parameters: string) =>
      `@perServer() export class DraftService { constructor(${parameters}) {} }`

    accepts(findBareParameters, path, service('@inject(Clock) private readonly clock: Clock'))
    accepts(findBareParameters, path, service(''))
    reports(findInjectedFunctions, path, service('@inject(Steps) private readonly s: () => Step[]'))
    reports(findInjectedFunctions, path, service('@inject(Steps)\n s: () => readonly Step[]'))
    accepts(findInjectedFunctions, path, service('@injectAll(Steps) readonly s: readonly Step[]'))
    accepts(findBareParameters, path, 'class Draft { constructor(readonly id: number) {} }')
    reports(findBareParameters, path, service('private readonly clock: Clock'))
    reports(findBareParameters, path, service('clock: Clock'))
    reports(findBareParameters, path, service('clock: Clock = systemClock'))
    reports(findBareParameters, path, service('...clocks: Clock[]'))
    reports(findBareParameters, path, service('@inject() clock: Clock'))
    reports(findBareParameters, path, service('@inject(A) a: A, private b: B'))
  })

  it('report instances that two servers would share', () => {
    reports(findSharedInstances, path, '@singleton() class DraftService {}')
    reports(findSharedInstances, path, "import { container } from 'tsyringe'")
    reports(findSharedInstances, path, "import * as tsyringe from 'tsyringe'")
    accepts(findSharedInstances, path, "import { inject } from 'tsyringe'")
    accepts(
      findSharedInstances,
      'packages/core/src/server/create-chat-server.ts',
      "import { container } from 'tsyringe'",
    )
  })

  it('report side effects on the process of the application', () => {
    for (const statement of [
      "console.log('hello')",
      'const level = process.env.LEVEL',
      "const level = process['env'].LEVEL",
      "process.on('SIGTERM', close)",
      'process.exit(1)',
      'globalThis.chat = chat',
      'globalThis.chat.servers += 1',
      'delete globalThis.fetch',
      'Object.assign(globalThis, { chat })',
      "import { env } from 'node:process'",
    ]) {
      reports(findProcessSideEffects, path, statement)
    }
    accepts(
      findProcessSideEffects,
      path,
      "const text = 'console.log process.env' // globalThis.x = 1",
    )
    accepts(findProcessSideEffects, path, 'const fetch = globalThis.fetch')
    accepts(findProcessSideEffects, path, 'const started = process.hrtime.bigint()')
  })

  it('report a query outside a repository', () => {
    reports(findSqlOutsideRepositories, path, "await tx.query('drafts').delete()")
    reports(findSqlOutsideRepositories, path, "await tx.raw('DELETE FROM drafts', [])")
    reports(findSqlOutsideRepositories, path, "await tx.executor('drafts')")
    reports(findSqlOutsideRepositories, path, "import type { Knex } from 'knex'")
    accepts(findSqlOutsideRepositories, path, 'await this.drafts.delete(tx, 1)')
    accepts(
      findSqlOutsideRepositories,
      'packages/core/src/resources/personal/drafts/draft-repository.ts',
      "await tx.query('drafts').delete()",
    )
  })

  it('report an ignored conflict', () => {
    reports(findIgnoredConflicts, path, "await rows.insert(row).onConflict('id').ignore()")
    accepts(findIgnoredConflicts, path, "await rows.insert(row).onConflict('id').merge()")
    accepts(findIgnoredConflicts, path, 'list.ignore()')
  })

  it('report a promise that can reject unheard', () => {
    reports(findUnendedChains, path, 'work().then(use)')
    reports(findUnendedChains, path, 'void work().then(use, report).finally(end)')
    accepts(findUnendedChains, path, 'work().then(use).catch(report)')
    accepts(findUnendedChains, path, 'const used = work().then(use)')
  })

  it('report an error that is logged under another key', () => {
    reports(findMisnamedErrors, path, "this.logger.warn('Reading failed', { id, error })")
    reports(findMisnamedErrors, path, "logger.error('Reading failed', { cause: error })")
    reports(findMisnamedErrors, path, "try { read() } catch (e) { logger.info('Failed', { e }) }")
    reports(findMisnamedErrors, path, "this.#logger.debug('Reading failed', { reason: error })")
    reports(findMisnamedErrors, path, "logger.error('Reading failed', error)")
    accepts(findMisnamedErrors, path, "logger.error('Reading failed', { id, err: error })")
    accepts(findMisnamedErrors, path, "try { read() } catch (err) { logger.info('F', { err }) }")
    accepts(findMisnamedErrors, path, "logger.error('Reading failed', { reason: error.reason })")
    accepts(findMisnamedErrors, path, "throw new TypeError('Reading failed', { cause: error })")
  })

  it('report unfinished work', () => {
    reports(findUnfinishedWork, path, 'const a = 1 // TODO: two')
    reports(findUnfinishedWork, path, '/** FIXME */ const a = 1')
    accepts(findUnfinishedWork, path, "const text = 'TODO'")
  })

  it('report a long file', () => {
    reports(findLongFiles, path, 'let a\n'.repeat(301))
    accepts(findLongFiles, path, 'let a\n'.repeat(300))
  })
})
