import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import {
  findCycles,
  findDeepImports,
  findHttpOutsideOperations,
  findWrongDirections,
  findWrongGroups,
  findWrongPackages,
} from './imports.js'
import { readProductSources, source } from './source-files.js'

const inCore = (path: string, text: string) => source(`packages/core/src/${path}`, text)

describe('imports', () => {
  it('point one way between layers', () => {
    assert.deepEqual(findWrongDirections(readProductSources()), [])
  })

  it('stay inside a package, except for those it depends on', () => {
    assert.deepEqual(findWrongPackages(readProductSources()), [])
  })

  it('of http/ are in operations only', () => {
    assert.deepEqual(findHttpOutsideOperations(readProductSources()), [])
  })

  it('of another resource go through its index.ts', () => {
    assert.deepEqual(findDeepImports(readProductSources()), [])
  })

  it('point one way between groups of resources', () => {
    assert.deepEqual(findWrongGroups(readProductSources()), [])
  })

  it('of resources form no cycle', () => {
    assert.deepEqual(findCycles(readProductSources()), [])
  })
})

describe('the rules about imports', () => {
  it('report a layer that imports a higher one, in every form of an import', () => {
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
        findWrongDirections([inCore('domain/topics.ts', statement)]),
        ["packages/core/src/domain/topics.ts:1: 'domain' may not import 'http'"],
        statement,
      )
    }
  })

  it('accept imports of lower layers, of the layer itself and of installed packages', () => {
    const text =
      "import 'knex'\nimport '../events/bus.js'\nimport './scope.js'\nimport '../server/options.js'"

    assert.deepEqual(
      findWrongDirections([inCore('storage/transactions/unit-of-work.ts', text)]),
      [],
    )
  })

  it('report an unknown layer, an import of the composition root, and an impure layer', () => {
    const files = [
      inCore('utils/strings.ts', 'export {}'),
      inCore(
        'resources/personal/drafts/index.ts',
        "import '../../../server/create-chat-server.js'",
      ),
      inCore('markdown/render.ts', "import { readFile } from 'node:fs/promises'"),
      inCore('emoji/find.ts', "import '../domain/actor.js'"),
    ]

    assert.equal(findWrongDirections(files).length, files.length)
  })

  it('report imports from outside the package', () => {
    const files = [
      inCore('index.ts', "import 'koa'"),
      inCore('node/a.ts', "import '@parley/express'"),
      source('packages/koa/src/index.ts', "import '../../core/src/node/a.js'"),
      source('packages/express/src/index.ts', "import '@parley/core/dist/a.js'"),
      source('packages/express/src/index.ts', "import '@parley/wire/events'"),
      source('packages/client/src/index.ts', "import '@parley/core'"),
      source('packages/express/src/index.ts', "import '@parley/core'\nimport 'express'"),
    ]

    assert.equal(findWrongPackages(files).length, files.length - 1)
  })

  it('report HTTP in a service and not in an operation', () => {
    const text = "import { defineOperation } from '../../../http/operation.js'"
    const files = [
      inCore('resources/personal/drafts/draft-service.ts', text),
      inCore('resources/personal/drafts/draft-operations.ts', text),
      inCore('resources/personal/drafts/index.ts', text),
    ]

    assert.deepEqual(findHttpOutsideOperations(files), [
      'packages/core/src/resources/personal/drafts/draft-service.ts:1: only *-operations.ts and index.ts may import http/',
    ])
  })

  it('report imports that bypass index.ts', () => {
    const files = [
      inCore(
        'resources/personal/drafts/draft-service.ts',
        "import '../../channels/topics/topic-service.js'",
      ),
      inCore('resources/personal/drafts/draft-service.ts', "import '../../index.js'"),
      inCore(
        'resources/personal/drafts/draft-service.ts',
        "import '../../channels/topics/index.js'",
      ),
      inCore('resources/personal/drafts/draft-service.ts', "import './draft-repository.js'"),
    ]

    assert.equal(findDeepImports(files).length, 2)
  })

  it('report a group that imports a later one, and an unknown group', () => {
    const files = [
      inCore('resources/people/users/a.ts', "import '../../messages/reading/index.js'"),
      inCore('resources/others/users/a.ts', 'export {}'),
      inCore('resources/messages/reading/a.ts', "import '../../people/users/index.js'"),
      inCore('resources/messages/reading/a.ts', "import '../sending/index.js'"),
    ]

    assert.equal(findWrongGroups(files).length, 2)
  })

  it('report cycles', () => {
    const files = [
      inCore('resources/personal/drafts/a.ts', "import '../../channels/topics/index.js'"),
      inCore('resources/channels/topics/a.ts', "import '../channels/index.js'"),
      inCore(
        'resources/channels/channels/a.ts',
        "import type { A } from '../../personal/drafts/index.js'",
      ),
      inCore('resources/messages/reading/a.ts', "import '../../channels/channels/index.js'"),
    ]

    assert.deepEqual(findCycles(files), [
      'personal/drafts → channels/topics → channels/channels → personal/drafts: move what they share to a folder of its own',
    ])
    assert.deepEqual(findCycles(files.slice(0, 2)), [])
  })
})
