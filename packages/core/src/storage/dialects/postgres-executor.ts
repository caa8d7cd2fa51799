import { callbackify } from 'node:util'

import { driverCode } from './dialect.js'
import type { ExecutorDialect } from './executor-dialect.js'
import { isReadOnly } from './postgres-errors.js'

const noTransaction = '25P01'
const failedTransaction = '25P02'

const checked = 'chat_is_open'

interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

export const postgresExecutor: ExecutorDialect = {
  client: 'pg',
  // The server does not tell the number of rows afterwards.
  lastNumbers: undefined,
  // The id of the table tells schemas and servers apart, too.
  identity: { chat_database: 'current_database()', chat_table: 'tableoid::text' },

  connect(run) {
    return {
      query({ text, values }: Statement, callback: (error: unknown, result?: unknown) => void) {
        callbackify(run)(text, values, (error, result) => {
          if (error) callback(error)
          else
            callback(null, { ...result, rowCount: result.affectedRows, command: commandOf(text) })
        })
      },
    }
  },

  async isOpen(executor) {
    try {
      await executor.raw(`SAVEPOINT ${checked}`)
    } catch (error) {
      if (driverCode(error).code === noTransaction) return false
      throw error
    }
    await executor.raw(`RELEASE SAVEPOINT ${checked}`)
    return true
  },

  isFailed: (error) => driverCode(error).code === failedTransaction,
  isReadOnly,

  async isUnlocked(single, table, organizationId) {
    const { rows } = (await single.raw('SELECT id FROM ?? WHERE id = ? FOR UPDATE SKIP LOCKED', [
      table,
      organizationId,
    ])) as unknown as { readonly rows: readonly object[] }
    return rows.length > 0
  },
}

/** What the driver would report as the command. */
function commandOf(text: string): string {
  const [word = ''] = /\w+/.exec(text) ?? []
  return word.toUpperCase() === 'WITH' ? 'SELECT' : word.toUpperCase()
}
