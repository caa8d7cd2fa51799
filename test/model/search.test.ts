import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import fc from 'fast-check'

import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { SearchedOrganization } from './searched-organization.js'

/** Number of histories per database; each takes about two seconds. */
const runs = Number(process.env.CHAT_TEST_MODEL_RUNS ?? 4)
/** Seed of the histories, the same in every run by default. */
const seed = Number(process.env.CHAT_TEST_MODEL_SEED ?? 420)

/** Words with the same stem, which is the first one. */
const families: readonly (readonly [string, ...string[]])[] = [
  ['garden', 'gardens', 'gardening', 'gardened'],
  ['plant', 'plants', 'planting', 'planted'],
  ['plan', 'plans'],
  ['walk', 'walks', 'walked', 'walking'],
  ['walker'],
  ['w1'],
  ['2026'],
  ['gård', 'gard'],
  ['gårdarna', 'gardarna'],
  ['cafe', 'café', 'cafés', 'cafes'],
  ['чай'],
  ['чаи'],
  ['ёлка', 'елка'],
  ['🎉', ':tada:', ':party_popper:'],
  ['привет'],
  ['приветы'],
  ['회의'],
  ['회의가'],
  ['東京'],
  ['京都'],
  ['東京都'],
  ['東'],
  ['ภาษา'],
  ['かな'],
  ['がな'],
  ['the'],
  ['and'],
]

const forms = families.flat()
/** Whose own stems are words above, or no word at all. */
const beginnings =
  'ga gar gardeni plan plant plants wal walk walki walker w1 202 2026 gå går gardar caf café чай ча ёл ел 🎉 :tada: при привет 회 회의 東 東京 京都 ภา か th the an'
const someWords = fc.array(fc.constantFrom(...forms), { minLength: 1, maxLength: 6 })
const text = someWords.map((words) => words.join(' '))
const written = fc
  .tuple(text, fc.boolean())
  .map(([words, isLarge]) => (isLarge ? words.replaceAll(/[a-z]/g, (a) => a.toUpperCase()) : words))
const topic = fc.constantFrom('garden walk', '東京 plan', 'привет 2026', 'gårdarna', 'other')
const index = fc.nat(1000)

const change = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('send' as const), topic, text: written }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('edit' as const), index, text: written }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      index,
      topic,
      isWhole: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), index }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('index' as const) }) },
)

const wanted = fc.record({
  words: fc.array(fc.constantFrom(...forms), { maxLength: 2 }),
  phrase: fc.option(text, { nil: undefined, freq: 3 }),
  last: fc.option(fc.constantFrom(...beginnings.split(' ')), { nil: undefined, freq: 3 }),
  isNegated: fc.boolean(),
})

reportSkippedColumns()
for (const database of databaseColumns()) {
  describe(`the model of searches (${database.title})`, () => {
    const host = new TestHost('koa', database)
    before(async () => host.start())
    after(async () => host.stop())

    it('finds the messages that a reader of their texts finds, whether they are indexed or not', async () => {
      const steps = fc.array(fc.tuple(change, wanted), { minLength: 40, maxLength: 60 })
      const property = fc.asyncProperty(steps, async (list) => {
        const organization = await SearchedOrganization.create(host, families)
        for (const [step, search] of list) {
          await organization.apply(step)
          const { found, expected } = await organization.search(search)
          assert.deepEqual(found, expected, JSON.stringify(search))
        }
      })
      // A shorter history would be found by running many more; the failing step is in the message.
      await fc.assert(property, { seed, numRuns: runs, endOnFailure: true })
    })
  })
}
