import type { Telemetry } from '../../kernel/telemetry/telemetry.js'

/** Bounds the text of a span: lists of values make statements long. */
const maxTextLength = 2000

type Query = { readonly sql: string }

/** The members of a Knex client that are used here, of a pool as of a transaction. */
interface StatementClient {
  readonly constructor: object
  _query(connection: unknown, query: Query): Promise<unknown>
}
type ClientClass = new (...parameters: never[]) => StatementClient

/**
 * Reports the statements of pools. Knex's own events do not tell when a statement has ended, and
 * those of a pool of the application are also about its own statements.
 */
export class TracedStatements {
  /** A transaction has a client with the class of its pool's client. */
  readonly #classes = new WeakMap<object, object>()

  constructor(
    private readonly telemetry: Telemetry,
    private readonly system: () => string,
  ) {}

  /** Whether anything reads them. */
  get isOn(): boolean {
    return this.telemetry.statements.isOn
  }

  /** Reports the statements of a pool, or of a transaction, and of transactions within it. */
  trace({ client }: { readonly client: unknown }): void {
    // Every client of Knex has `_query`, which its types do not declare.
    const untraced = client as StatementClient
    const known = this.#classes.get(untraced.constructor)
    const prototype = known ?? this.#tracedPrototype(untraced.constructor as ClientClass)
    this.#classes.set(untraced.constructor, prototype)
    Object.setPrototypeOf(untraced, prototype)
  }

  #tracedPrototype(Base: ClientClass): object {
    const { statements } = this.telemetry
    const { system } = this
    return class extends Base {
      override _query(connection: unknown, query: Query): Promise<unknown> {
        if (!statements.isOn) return super._query(connection, query)
        const text = query.sql.slice(0, maxTextLength)
        return statements.run({ system: system(), text }, () => super._query(connection, query))
      }
    }.prototype
  }
}
