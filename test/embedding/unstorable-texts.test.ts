import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { allDatabaseColumns, reportSkippedColumns } from '../support/databases.js'
import { callerOf } from '../support/examples/example.js'
import { examples } from '../support/examples/index.js'
import { TestHost, type HostCase } from '../support/host.js'
import { SpoilingClient } from '../support/spoiling-client.js'

reportSkippedColumns()

const characters = { 'U+0000': '\0', 'an unpaired surrogate': '\ud83d' } as const

/** By operation and character: the answers on the first database. */
const first = new Map<string, ReadonlyMap<string, object>>()

for (const column of allDatabaseColumns()) {
  for (const [name, character] of Object.entries(characters))
    describe(`texts with ${name} (${column.title})`, () => {
      const host = new TestHost('express', column, { invitations: { confirmAddresses: false } })
      let at: HostCase
      let refused = 0
      before(async () => {
        await host.start()
        at = { ...(await host.organization()), host, clock: host.clock }
      })
      after(() => host.stop())

      for (const [id, example] of Object.entries(examples)) {
        it(`${id} refuses ${name}, as on every database`, async () => {
          const caller = callerOf(example, at.people)
          const client = new SpoilingClient(caller, (text) => `${text}${character}`)

          const { status, text } = await example.call(at, client)

          assert.equal(status, 200, text)
          for (const [place, answer] of client.answers) {
            assert.equal(answer.status, 400, `${place}: ${JSON.stringify(answer)}`)
          }
          const known = first.get(`${id} ${name}`) ?? client.answers
          first.set(`${id} ${name}`, known)
          assert.deepEqual(client.answers, known)
          for (const { msg } of client.answers.values()) {
            if (/^Invalid character in|null bytes$/.test(msg)) refused += 1
          }
        })
      }

      it('are refused because of the character, where nothing else is wrong', () => {
        assert.ok(refused > 100, `only ${refused} texts were`)
      })
    })
}
