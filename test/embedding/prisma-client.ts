import { createRequire } from 'node:module'

import type { PrismaTransaction } from '@parley/core/transactions'
import { getPrismaClient, type SqlDriverAdapterFactory } from '@prisma/client/runtime/client'

/** The used part of the client that `prisma generate` writes for the model `orders`. */
export interface PrismaClient extends PrismaTransaction {
  readonly orders: {
    create(order: { readonly data: { readonly item: string } }): Promise<object>
    findMany(): Promise<{ id: number; item: string }[]>
  }
  $transaction<Result>(work: (tx: PrismaClient) => Promise<Result>): Promise<Result>
  $disconnect(): Promise<void>
}

const model = {
  fields: [
    { name: 'id', kind: 'scalar', type: 'Int' },
    { name: 'item', kind: 'scalar', type: 'String' },
  ],
  dbName: null,
  schema: null,
} as const

/**
 * The statements of the model, as `prisma generate` 7.10.0 encodes them. Those of SQLite are enough for
 * PostgreSQL.
 */
const parameterized = {
  sqlite: {
    strings:
      'where orders.findUnique orders.findUniqueOrThrow orderBy cursor orders.findFirst orders.findFirstOrThrow orders.findMany data orders.createOne orders.createMany orders.createManyAndReturn orders.updateOne orders.updateMany orders.updateManyAndReturn create update orders.upsertOne orders.deleteOne orders.deleteMany having _count _avg _sum _min _max orders.groupBy orders.aggregate AND OR NOT id item equals in notIn lt lte gt gte contains startsWith endsWith not set increment decrement multiply divide'.split(
        ' ',
      ),
    graph:
      'KwsQBRwAACIAMB0AAAQAEB4AACIAMB8CAAAAASABACQAIQEAAAABACABAAAAAQAgBRwAACIAMB0AAAQAEB4AACIAMB8CACMAISABACQAIQADAAAABAAgAwAABQAwBAAAAQAgAwAAAAQAIAMAAAUAMAQAAAEAIAMAAAAEACADAAAFADAEAAABACACHwIAAAABIAEAAAABAQgAAAkAIAIfAgAAAAEgAQAAAAEBCAAACwAwAQgAAAsAMAIfAgArACEgAQAqACECAAAAAQAgCAAADgAgAh8CACsAISABACoAIQIAAAAEACAIAAAQACACAAAABAAgCAAAEAAgAwAAAAEAIA8AAAkAIBAAAA4AIAEAAAABACABAAAABAAgBRUAACUAIBYAACYAIBcAACkAIBgAACgAIBkAACcAIAUcAAAaADAdAAAXABAeAAAaADAfAgAbACEgAQAcACEDAAAABAAgAwAAFgAwFAAAFwAgAwAAAAQAIAMAAAUAMAQAAAEAIAUcAAAaADAdAAAXABAeAAAaADAfAgAbACEgAQAcACENFQAAHgAgFgAAIQAgFwAAHgAgGAAAHgAgGQAAHgAgIQIAAAABIgIAAAAEIwIAAAAEJAIAAAABJQIAAAABJgIAAAABJwIAAAABKwIAIAAhDhUAAB4AIBgAAB8AIBkAAB8AICEBAAAAASIBAAAABCMBAAAABCQBAAAAASUBAAAAASYBAAAAAScBAAAAASgBAAAAASkBAAAAASoBAAAAASsBAB0AIQ4VAAAeACAYAAAfACAZAAAfACAhAQAAAAEiAQAAAAQjAQAAAAQkAQAAAAElAQAAAAEmAQAAAAEnAQAAAAEoAQAAAAEpAQAAAAEqAQAAAAErAQAdACEIIQIAAAABIgIAAAAEIwIAAAAEJAIAAAABJQIAAAABJgIAAAABJwIAAAABKwIAHgAhCyEBAAAAASIBAAAABCMBAAAABCQBAAAAASUBAAAAASYBAAAAAScBAAAAASgBAAAAASkBAAAAASoBAAAAASsBAB8AIQ0VAAAeACAWAAAhACAXAAAeACAYAAAeACAZAAAeACAhAgAAAAEiAgAAAAQjAgAAAAQkAgAAAAElAgAAAAEmAgAAAAEnAgAAAAErAgAgACEIIQgAAAABIggAAAAEIwgAAAAEJAgAAAABJQgAAAABJggAAAABJwgAAAABKwgAIQAhBRwAACIAMB0AAAQAEB4AACIAMB8CACMAISABACQAIQghAgAAAAEiAgAAAAQjAgAAAAQkAgAAAAElAgAAAAEmAgAAAAEnAgAAAAErAgAeACELIQEAAAABIgEAAAAEIwEAAAAEJAEAAAABJQEAAAABJgEAAAABJwEAAAABKAEAAAABKQEAAAABKgEAAAABKwEAHwAhAAAAAAABLAEAAAABBSwCAAAAAS0CAAAAAS4CAAAAAS8CAAAAATACAAAAAQAAAAAFFQAGFgAHFwAIGAAJGQAKAAAAAAAFFQAGFgAHFwAIGAAJGQAKAQIBAgMBBQYBBgcBBwgBCQoBCgwCCw0DDA8BDRECDhIEERMBEhQBExUCGhgFGxkL',
  },
  mysql: {
    strings:
      'where orders.findUnique orders.findUniqueOrThrow orderBy cursor orders.findFirst orders.findFirstOrThrow orders.findMany data orders.createOne orders.createMany orders.updateOne orders.updateMany create update orders.upsertOne orders.deleteOne orders.deleteMany having _count _avg _sum _min _max orders.groupBy orders.aggregate AND OR NOT id item equals in notIn lt lte gt gte contains startsWith endsWith search not _relevance set increment decrement multiply divide'.split(
        ' ',
      ),
    graph:
      'KgkOBRoAACAAMBsAAAQAEBwAACAAMB0CAAAAAR4BACIAIQEAAAABACABAAAAAQAgBRoAACAAMBsAAAQAEBwAACAAMB0CACEAIR4BACIAIQErAAAqACADAAAABAAgAwAABQAwBAAAAQAgAwAAAAQAIAMAAAUAMAQAAAEAIAMAAAAEACADAAAFADAEAAABACACHQIAAAABHgEAAAABAQgAAAkAIAIdAgAAAAEeAQAAAAEBCAAACwAwAh0CACkAIR4BACgAIQIAAAABACAIAAANACACHQIAKQAhHgEAKAAhAgAAAAQAIAgAAA8AIAMAAAABACANAAAJACAOAAANACABAAAAAQAgAQAAAAQAIAUTAAAjACAUAAAkACAVAAAnACAWAAAmACAXAAAlACAFGgAAGAAwGwAAFQAQHAAAGAAwHQIAGQAhHgEAGgAhAwAAAAQAIAMAABQAMBIAABUAIAMAAAAEACADAAAFADAEAAABACAFGgAAGAAwGwAAFQAQHAAAGAAwHQIAGQAhHgEAGgAhDRMAABwAIBQAAB8AIBUAABwAIBYAABwAIBcAABwAIB8CAAAAASACAAAABCECAAAABCICAAAAASMCAAAAASQCAAAAASUCAAAAASoCAB4AIQ8TAAAcACAWAAAdACAXAAAdACAfAQAAAAEgAQAAAAQhAQAAAAQiAQAAAAEjAQAAAAEkAQAAAAElAQAAAAEmAQAAAAEnAQAAAAEoAQAAAAEpAQAAAAEqAQAbACEPEwAAHAAgFgAAHQAgFwAAHQAgHwEAAAABIAEAAAAEIQEAAAAEIgEAAAABIwEAAAABJAEAAAABJQEAAAABJgEAAAABJwEAAAABKAEAAAABKQEAAAABKgEAGwAhCB8CAAAAASACAAAABCECAAAABCICAAAAASMCAAAAASQCAAAAASUCAAAAASoCABwAIQwfAQAAAAEgAQAAAAQhAQAAAAQiAQAAAAEjAQAAAAEkAQAAAAElAQAAAAEmAQAAAAEnAQAAAAEoAQAAAAEpAQAAAAEqAQAdACENEwAAHAAgFAAAHwAgFQAAHAAgFgAAHAAgFwAAHAAgHwIAAAABIAIAAAAEIQIAAAAEIgIAAAABIwIAAAABJAIAAAABJQIAAAABKgIAHgAhCB8IAAAAASAIAAAABCEIAAAABCIIAAAAASMIAAAAASQIAAAAASUIAAAAASoIAB8AIQUaAAAgADAbAAAEABAcAAAgADAdAgAhACEeAQAiACEIHwIAAAABIAIAAAAEIQIAAAAEIgIAAAABIwIAAAABJAIAAAABJQIAAAABKgIAHAAhDB8BAAAAASABAAAABCEBAAAABCIBAAAAASMBAAAAASQBAAAAASUBAAAAASYBAAAAAScBAAAAASgBAAAAASkBAAAAASoBAB0AIQAAAAAAASwBAAAAAQUsAgAAAAEtAgAAAAEuAgAAAAEvAgAAAAEwAgAAAAEBKQEAAAABAAAFEwAEFAAFFQAGFgAHFwAIAAAAAAAFEwAEFAAFFQAGFgAHFwAIAQIBAgMBBQYBBgcBBwgBCQoBCgwCCw4BDBACDxEBEBIBERMCGBYDGRcJ',
  },
}

/**
 * The client that `prisma generate` would write, without types: the program that generates it is
 * large, and downloads an engine.
 */
export function createPrismaClient(
  provider: 'sqlite' | 'mysql' | 'postgresql',
  adapter: SqlDriverAdapterFactory,
): PrismaClient {
  const load = createRequire(import.meta.url)
  const compiler = `@prisma/client/runtime/query_compiler_small_bg.${provider}`
  const Client = getPrismaClient({
    previewFeatures: [],
    clientVersion: '7.10.0',
    engineVersion: '',
    activeProvider: provider,
    inlineSchema: `datasource db {
        provider = "${provider}"
      }
      model orders {
        id   Int    @id @default(autoincrement())
        item String
      }`,
    runtimeDataModel: {
      models: { orders: { ...model, fields: [...model.fields] } },
      enums: {},
      types: {},
    },
    parameterizationSchema: parameterized[provider === 'mysql' ? 'mysql' : 'sqlite'],
    compilerWasm: {
      getRuntime: async () => load(`${compiler}.js`),
      async getQueryCompilerWasmModule() {
        const { wasm } = load(`${compiler}.wasm-base64.js`) as { readonly wasm: string }
        return new WebAssembly.Module(Buffer.from(wasm, 'base64'))
      },
      importName: './query_compiler_small_bg.js',
    },
  } as never) as unknown as new (options: object) => PrismaClient
  return new Client({ adapter })
}
