import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'

// Before the operations, because they need the polyfill of decorators that it brings.
import '@parley/core'
import { Type, type TProperties } from 'typebox'

import type { EventDefinition } from '../../packages/core/src/events/event.js'
import type { Operation } from '../../packages/core/src/http/index.js'
import { allEvents, allOperations, allSnapshots } from '../../packages/core/src/resources/index.js'
import { describeApi } from '../../packages/core/src/server/describe-api.js'
import { errorCodes, eventTypes, operationShapes } from '../../scripts/api-types.js'
import type { JsonSchema } from '../../scripts/schema-text.js'
import { root } from '../architecture/source-files.js'

/** A program that uses what the declaration of one operation says. */
const program = `import { ChatClient, isErrorOf, type ServerEvent } from './index.js'

const { api } = new ChatClient({ url: 'https://product.example' })
try {
  const { id } = await api.createChannel({
    name: 'tea', // parameter
    subscribers: [],
  })
  id.toFixed() // result
} catch (error) {
  isErrorOf('createChannel', error, 'CHANNEL_ALREADY_EXISTS') // error
}
// @ts-expect-error -- queues have no such operator
void api.registerQueue({ narrow: [['chanel', 'tea']] })
export function emojiOf(event: ServerEvent): string {
  return event.type === 'reaction' && event.op === 'add' ? event.emoji_name : '' // event
}
`

/** The words after `//` in the lines of the program that do not compile. */
const linesWithErrors = (output: string): string[] =>
  Array.from(output.matchAll(/^program\.ts\((\d+),/gm), ([, line]) => {
    const text = program.split('\n')[Number(line) - 1] ?? ''
    return text.split('// ')[1] ?? text
  })

describe('the types of @parley/client', () => {
  let folder: string

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-types-'))
    await cp(join(root, 'packages/client/src'), folder, { recursive: true })
    await cp(join(root, 'packages/wire/src'), join(folder, 'wire'), { recursive: true })
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    await writeFile(join(folder, 'program.ts'), program)
    const config = {
      extends: join(root, 'packages/client/tsconfig.json'),
      compilerOptions: {
        rootDir: folder,
        noEmit: true,
        emitDeclarationOnly: false,
        paths: { '@parley/wire/*': ['./wire/*.generated.ts'] },
      },
      include: ['*.ts'],
    }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  })
  after(() => rm(folder, { recursive: true }))

  /** What the compiler says with the types of changed declarations. */
  async function compiledWith(
    change: Partial<Operation>,
    events: readonly EventDefinition[] = allEvents,
  ): Promise<string> {
    const operations = allOperations.map((operation) =>
      operation.id === 'create-channel' ? { ...operation, ...change } : operation,
    )
    const declarations = { operations: allOperations, events: allEvents, snapshots: allSnapshots }
    const document = describeApi('/', declarations) as {
      components: { schemas: Record<string, JsonSchema> }
    }
    const { NarrowTerm = {}, QueueTerm = {}, Registration = {} } = document.components.schemas
    const shapes = operationShapes(operations, { NarrowTerm, QueueTerm, Registration })
    await writeFile(join(folder, 'wire/operations.generated.ts'), shapes)
    await writeFile(join(folder, 'wire/events.generated.ts'), eventTypes(events))
    await writeFile(join(folder, 'errors.generated.ts'), errorCodes(operations))

    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    const child = spawn(process.execPath, [compiler, '--pretty', 'false', '-p', folder], {
      cwd: folder,
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
    await once(child, 'close')
    return output
  }

  const declared = allOperations.find(({ id }) => id === 'create-channel') as Operation

  it('compile with the declarations of the server', async () => {
    assert.equal(await compiledWith({}), '')
  })

  it('do not compile if a parameter, the result and an error are declared differently', async () => {
    const { name: _name, ...params } = declared.params
    const output = await compiledWith({
      params: { ...params, title: Type.String() } as TProperties,
      response: Type.Object({ id: Type.String() }),
      errors: declared.errors.filter((kind) => kind !== 'CHANNEL_ALREADY_EXISTS'),
    })

    assert.deepEqual(linesWithErrors(output), ['parameter', 'result', 'error'], output)
  })

  it('do not compile if an event has other fields', async () => {
    const payload = Type.Object({ name: Type.String() })
    const events = allEvents.map((event) =>
      event.kind === 'reaction/add' ? { ...event, payload } : event,
    )
    assert.notDeepEqual(events, allEvents)

    assert.ok(linesWithErrors(await compiledWith({}, events)).includes('event'))
  })
})
