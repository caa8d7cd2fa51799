import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { findProblems, readMutations, type Mutation } from '../../scripts/mutation-list.mjs'
import { root } from './source-files.js'

const example: Mutation = {
  area: 'example',
  title: 'Changes the name of a constant',
  file: 'test/architecture/source-files.ts',
  text: 'export const root =',
  replacement: 'export const other =',
  tests: ['test/architecture/mutations.test.ts'],
}

describe('the faults of test/mutations', () => {
  const faults = readMutations(root)

  it('apply to the current code, and name tests that exist', () => {
    const problems = faults.flatMap((fault) =>
      findProblems(root, fault).map((problem) => `${fault.area}: ${fault.title}: ${problem}`),
    )

    assert.deepEqual(problems, [])
    assert.ok(faults.length > 0)
  })

  it('have unique titles', () => {
    const titles = faults.map(({ title }) => title)

    assert.deepEqual(
      titles.filter((title, index) => titles.indexOf(title) !== index),
      [],
    )
  })

  it('are rejected if they are out of date or malformed', () => {
    const problemsWith = (changes: object) => findProblems(root, { ...example, ...changes })

    assert.match(problemsWith({ text: 'assert' }).join(), /occurs \d+ times/)
    assert.match(problemsWith({ file: 'test/missing.ts' }).join(), /does not exist/)
    assert.match(problemsWith({ tests: ['test/missing.test.ts'] }).join(), /does not exist/)
    assert.match(problemsWith({ tests: [] }).join(), /not a list of paths/)
    assert.match(problemsWith({ cases: ['No', 'such case'].join(' ') }).join(), /list of titles/)
    assert.match(problemsWith({ cases: [['no', 'such', 'case'].join('-')] }).join(), /no case/)
    assert.match(problemsWith({ database: 'sqlite' }).join(), /not "mysql"/)
    assert.match(problemsWith({ titel: 'x' }).join(), /"titel" is not known/)
    assert.match(problemsWith({ replacement: 'export const (' }).join(), /no TypeScript/)
    assert.match(problemsWith({ replacement: example.text }).join(), /itself/)
  })
})
