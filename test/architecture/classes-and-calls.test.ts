import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import {
  findBadGuests,
  findBareParameters,
  findIgnoredConflicts,
  findLongFiles,
  findMisnamedErrors,
  findSharedInstances,
  findSqlOutsideRepositories,
  findUnfinishedWork,
} from './classes-and-calls.js'
import { findOtherReadingRules, findUncheckedCallers } from './reading-rule.js'
import { readProductSources, source, type Finding, type SourceFile } from './source-files.js'

const rules = {
  'classes of the container name what is injected': findBareParameters,
  'servers share no instance': findSharedInstances,
  'the library is a good guest': findBadGuests,
  'only repositories build queries': findSqlOutsideRepositories,
  'no conflict is ignored': findIgnoredConflicts,
  'no work is left unfinished': findUnfinishedWork,
  'errors are logged under the key err': findMisnamedErrors,
  'no file is longer than 400 lines': findLongFiles,
  'who may read a message is decided in one place': findOtherReadingRules,
  'callers are checked in their transactions': findUncheckedCallers,
}

describe('the sources of the packages', () => {
  for (const [title, rule] of Object.entries(rules)) {
    it(title, () => assert.deepEqual(rule(readProductSources()), []))
  }
})

type Rule = (files: readonly SourceFile[]) => Finding[]

function notices(rule: Rule, path: string, text: string) {
  assert.equal(rule([source(path, text)]).length, 1, `not noticed: ${text}`)
}

function accepts(rule: Rule, path: string, text: string) {
  assert.deepEqual(rule([source(path, text)]), [], `wrongly noticed: ${text}`)
}

describe('the rules about classes and calls', () => {
  const path = 'packages/core/src/resources/personal/drafts/draft-service.ts'

  it('notice a second rule about reading, and a caller who is not checked', () => {
    notices(findOtherReadingRules, path, 'if (channel.is_history_shared) read()')
    notices(findOtherReadingRules, path, 'const sql = `c.is_history_shared = ?`')
    accepts(findOtherReadingRules, path, 'if (isHistoryProtected(channel)) read()')
    notices(findUncheckedCallers, path, 'unitOfWork.run(actor.organizationId, work)')
    accepts(findUncheckedCallers, path, 'unitOfWork.runFor(actor, work)')
  })

  it('notice a constructor parameter without a token', () => {
    const service = (parameters: string) =>
      `@perServer() export class DraftService { constructor(${parameters}) {} }`

    accepts(findBareParameters, path, service('@inject(Clock) private readonly clock: Clock'))
    accepts(findBareParameters, path, service(''))
    accepts(findBareParameters, path, 'class Draft { constructor(readonly id: number) {} }')
    notices(findBareParameters, path, service('private readonly clock: Clock'))
    notices(findBareParameters, path, service('clock: Clock'))
    notices(findBareParameters, path, service('clock: Clock = systemClock'))
    notices(findBareParameters, path, service('...clocks: Clock[]'))
    notices(findBareParameters, path, service('@inject() clock: Clock'))
    notices(findBareParameters, path, service('@inject(A) a: A, private b: B'))
  })

  it('notice what two servers would share', () => {
    notices(findSharedInstances, path, '@singleton() class DraftService {}')
    notices(findSharedInstances, path, "import { container } from 'tsyringe'")
    notices(findSharedInstances, path, "import * as tsyringe from 'tsyringe'")
    accepts(findSharedInstances, path, "import { inject } from 'tsyringe'")
    accepts(
      findSharedInstances,
      'packages/core/src/create-chat-server.ts',
      "import { container } from 'tsyringe'",
    )
  })

  it('notice a bad guest', () => {
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
      notices(findBadGuests, path, statement)
    }
    accepts(findBadGuests, path, "const text = 'console.log process.env' // globalThis.x = 1")
    accepts(findBadGuests, path, 'const fetch = globalThis.fetch')
    accepts(findBadGuests, path, 'const started = process.hrtime.bigint()')
  })

  it('notice a query outside a repository', () => {
    notices(findSqlOutsideRepositories, path, "await tx.query('drafts').delete()")
    notices(findSqlOutsideRepositories, path, "await tx.raw('DELETE FROM drafts', [])")
    notices(findSqlOutsideRepositories, path, "await tx.executor('drafts')")
    notices(findSqlOutsideRepositories, path, "import type { Knex } from 'knex'")
    accepts(findSqlOutsideRepositories, path, 'await this.drafts.delete(tx, 1)')
    accepts(
      findSqlOutsideRepositories,
      'packages/core/src/resources/personal/drafts/draft-repository.ts',
      "await tx.query('drafts').delete()",
    )
  })

  it('notice an ignored conflict', () => {
    notices(findIgnoredConflicts, path, "await rows.insert(row).onConflict('id').ignore()")
    accepts(findIgnoredConflicts, path, "await rows.insert(row).onConflict('id').merge()")
    accepts(findIgnoredConflicts, path, 'list.ignore()')
  })

  it('notice an error that is logged under another key', () => {
    notices(findMisnamedErrors, path, "this.logger.warn('Reading failed', { id, error })")
    notices(findMisnamedErrors, path, "logger.error('Reading failed', { cause: error })")
    notices(findMisnamedErrors, path, "try { read() } catch (e) { logger.info('Failed', { e }) }")
    notices(findMisnamedErrors, path, "this.#logger.debug('Reading failed', { reason: error })")
    notices(findMisnamedErrors, path, "logger.error('Reading failed', error)")
    accepts(findMisnamedErrors, path, "logger.error('Reading failed', { id, err: error })")
    accepts(findMisnamedErrors, path, "try { read() } catch (err) { logger.info('F', { err }) }")
    accepts(findMisnamedErrors, path, "logger.error('Reading failed', { reason: error.reason })")
    accepts(findMisnamedErrors, path, "throw new TypeError('Reading failed', { cause: error })")
  })

  it('notice unfinished work', () => {
    notices(findUnfinishedWork, path, 'const a = 1 // TODO: two')
    notices(findUnfinishedWork, path, '/** FIXME */ const a = 1')
    accepts(findUnfinishedWork, path, "const text = 'TODO'")
  })

  it('notice a long file', () => {
    notices(findLongFiles, path, 'let a\n'.repeat(401))
    accepts(findLongFiles, path, 'let a\n'.repeat(400))
  })
})
