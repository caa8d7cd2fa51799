import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'

import { createChatServer } from '@parley/core'

describe('a driver without its compiled part', () => {
  it('fails the start with an error that says how to compile it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-driver-'))
    try {
      const options = { nativeBinding: join(folder, 'better_sqlite3.node') }
      const connection = { filename: join(folder, 'chat.sqlite'), options }
      const chat = createChatServer({ database: { client: 'better-sqlite3', connection } })

      await assert.rejects(
        chat.start(),
        /'better-sqlite3', cannot be loaded: its compiled part is missing .* npm rebuild better-sqlite3/,
      )
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
