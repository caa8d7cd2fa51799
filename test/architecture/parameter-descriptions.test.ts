import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import '@parley/core'
import { parameterDescriptions } from '../../packages/core/src/resources/administration/api-description/index.js'
import { allOperations } from '../../packages/core/src/resources/index.js'
import { withParameterDescriptions } from '../../packages/core/src/server/describe-api.js'

describe('the descriptions of parameters', () => {
  it('exist for every parameter of every operation', () => {
    const missing = withParameterDescriptions(allOperations).flatMap(({ id, params }) =>
      Object.entries(params)
        .filter(([, schema]) => !('description' in schema))
        .map(([name]) => `${id}: ${name}`),
    )

    assert.deepEqual(missing, [], 'describe them in their schemas')
  })

  it('are each used by an operation', () => {
    const used = new Set(
      allOperations.flatMap(({ params }) =>
        Object.entries(params)
          .filter(([, schema]) => !('description' in schema))
          .map(([name]) => name),
      ),
    )

    const unused = Object.keys(parameterDescriptions).filter((name) => !used.has(name))

    assert.deepEqual(unused, [])
  })
})
