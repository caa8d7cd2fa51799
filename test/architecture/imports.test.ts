import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import {
  findBypassedEntryPoints,
  findHttpOutsideOperations,
  findResourceCycles,
  findWrongDirections,
  findWrongPackages,
} from './imports.js'
import { readProductSources, source } from './source-files.js'

const inCore = (path: string, text: string) => source(`packages/core/src/${path}`, text)

describe('imports', () => {
  it('point one way between layers', () => {
    assert.deepEqual(findWrongDirections(readProductSources()), [])
  })

  it('stay inside a package, except for its dependencies', () => {
    assert.deepEqual(findWrongPackages(readProductSources()), [])
  })

  it('of http/ are in operations only', () => {
    assert.deepEqual(findHttpOutsideOperations(readProductSources()), [])
  })

  it('of another resource use its public entry point', () => {
    assert.deepEqual(findBypassedEntryPoints(readProductSources()), [])
  })

  it('of resources form no cycle', () => {
    assert.deepEqual(findResourceCycles(readProductSources()), [])
  })
})

describe('the rules about imports', () => {
  it('report a layer that imports upwards, in every form of an import', () => {
    for (const statement of [
      "import { a } from '../http/a.js'",
      "import type { A } from '../http/a.js'",
      "import '../http/a.js'",
      "export * from '../http/a.js'",
      "export { a } from '../http/a.js'",
      "const a = await import('../http/a.js')",
      "type A = import('../http/a.js').A",
    ]) {
      assert.deepEqual(
        findWrongDirections([inCore('domain/narrow.ts', statement)]),
        ["packages/core/src/domain/narrow.ts:1: 'domain' may not import 'http'"],
        statement,
      )
    }
  })

  it('accept a layer that imports downwards, itself and an installed package', () => {
    const text =
      "import 'knex'\nimport '../events/bus.js'\nimport './scope.js'\nimport '../options.js'"

    assert.deepEqual(findWrongDirections([inCore('storage/unit-of-work.ts', text)]), [])
  })

  it('report an unknown layer, a layer that imports the composition root, and an impure one', () => {
    const files = [
      inCore('utils/strings.ts', 'export {}'),
      inCore('resources/drafts/index.ts', "import '../../create-chat-server.js'"),
      inCore('markdown/render.ts', "import { readFile } from 'node:fs/promises'"),
      inCore('emoji/find.ts', "import '../domain/actor.js'"),
    ]

    assert.equal(findWrongDirections(files).length, files.length)
  })

  it('report a package that imports from outside', () => {
    const files = [
      inCore('index.ts', "import 'koa'"),
      inCore('node/a.ts', "import '@parley/express'"),
      source('packages/koa/src/index.ts', "import '../../core/src/node/a.js'"),
      source('packages/express/src/index.ts', "import '@parley/core/dist/a.js'"),
      source('packages/express/src/index.ts', "import '@parley/core'\nimport 'express'"),
    ]

    assert.equal(findWrongPackages(files).length, files.length - 1)
  })

  it('report HTTP in a service, but not in an operation', () => {
    const text = "import { defineOperation } from '../../http/operation.js'"
    const files = [
      inCore('resources/drafts/draft-service.ts', text),
      inCore('resources/drafts/draft-operations.ts', text),
      inCore('resources/drafts/index.ts', text),
    ]

    assert.deepEqual(findHttpOutsideOperations(files), [
      'packages/core/src/resources/drafts/draft-service.ts:1: only *-operations.ts and index.ts may import http/',
    ])
  })

  it('report a resource that imports an internal file of another one', () => {
    const files = [
      inCore('resources/drafts/draft-service.ts', "import '../topics/topic-service.js'"),
      inCore('resources/drafts/draft-service.ts', "import '../index.js'"),
      inCore('resources/drafts/draft-service.ts', "import '../topics/index.js'"),
      inCore('resources/drafts/draft-service.ts', "import './draft-repository.js'"),
    ]

    assert.equal(findBypassedEntryPoints(files).length, 2)
  })

  it('report resources in a cycle', () => {
    const files = [
      inCore('resources/drafts/a.ts', "import '../topics/index.js'"),
      inCore('resources/topics/a.ts', "import '../channels/index.js'"),
      inCore('resources/channels/a.ts', "import type { A } from '../drafts/index.js'"),
      inCore('resources/messages/a.ts', "import '../channels/index.js'"),
    ]

    assert.deepEqual(findResourceCycles(files), [
      'drafts → topics → channels → drafts: move what they share to a folder of its own',
    ])
    assert.deepEqual(findResourceCycles(files.slice(0, 2)), [])
  })
})
