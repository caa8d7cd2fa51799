import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { describe, it } from 'node:test'

import { pino } from 'pino'

import { databaseColumns, type DatabaseColumn } from '../support/databases.js'
import { TestHost } from '../support/host.js'

describe('a logger of pino', () => {
  it('prints the message and the stack of an error', async () => {
    const lines: string[] = []
    const output = new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk))
        done()
      },
    })
    const host = new TestHost('express', databaseColumns()[0] as DatabaseColumn, {
      logger: pino(output),
      identify: () => {
        throw new TypeError('the session store is away', { cause: new Error('no connection') })
      },
    })
    await host.start()
    const { nobody } = await host.organization()

    const answer = await nobody.get('/users/me')
    await host.stop()

    assert.equal(answer.status, 500)
    const line = JSON.parse(lines.find((text) => text.includes('An operation failed')) ?? '{}')
    assert.equal(line.operation, 'get-own-user')
    assert.equal(line.err.type, 'TypeError')
    assert.match(line.err.message, /the session store is away/)
    assert.match(line.err.stack, /loggers\.test[^]*no connection/)
  })
})
