import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

import { allDatabaseColumns, reportSkippedColumns } from '../support/databases.js'
import { compiledProgram } from '../support/programs.js'

const program = compiledProgram('test/embedding/clean-process.ts')
const root = fileURLToPath(new URL('../../', import.meta.url))
/** Enough for a slow machine; an open handle keeps the process alive forever. */
const patienceMilliseconds = 60_000

reportSkippedColumns()

for (const column of allDatabaseColumns()) {
  describe(`a process that has closed its chat server (${column.name})`, () => {
    it('exits, and the chat server has not printed, caught or left anything', async () => {
      const database = await column.create()
      const url = database.url.replace(/^sqlite:/, '')
      const child = spawn(process.execPath, [program, url], { cwd: root })
      let printed = ''
      let complaints = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
      child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text))
      const patience = setTimeout(() => child.kill('SIGKILL'), patienceMilliseconds)

      const [exitCode] = (await once(child, 'close')) as [number | null]
      clearTimeout(patience)
      await database.drop()

      assert.equal(exitCode, 0, complaints || 'it did not end by itself')
      assert.equal(complaints, '')
      const report = JSON.parse(printed)
      assert.deepEqual(report.traps, [])
      assert.deepEqual(report.newSignals, [])
      assert.deepEqual(report.newGlobals, [])
      assert.equal(report.eventCount, 1)
      assert.equal(report.closeCode, 1001)
      assert.deepEqual(report.lastAnswer, { result: 'success', events: [] })
      assert.deepEqual(report.newResources, [])
    })
  })
}
