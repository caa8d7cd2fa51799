import { ChatError } from '../../../errors/index.js'
import type { OrganizationState } from '../../../events/log/organization-changes.js'
import type {
  Database,
  DueReference,
  DueRow,
  DueRows,
  OrganizationScope,
  PreparedWrite,
  UnitOfWork,
} from '../../../storage/index.js'
import type { PreparedMessages, PrepareMessages } from './message-sending.js'

/** How the messages of due rows are prepared. */
interface RowPreparation<Row> {
  /** Prepares the messages of a row; see `PrepareMessages`. */
  prepare(scope: OrganizationScope, row: Row, state?: OrganizationState): Promise<PreparedMessages>
  /** Prepares messages to send instead if that, or sending them, has thrown an error. */
  prepareFailure(scope: OrganizationScope, row: Row, error: unknown): Promise<PreparedMessages>
}

/**
 * Sends the messages of due rows. They are prepared before the transaction that sends them and
 * completes their row. So each row's messages are sent exactly once, also with several processes or
 * after a crash; and if the row is changed or deleted meanwhile, the change applies.
 */
export class DueMessages<Row extends DueRow> {
  constructor(
    private readonly rows: DueRows<Row>,
    private readonly preparation: RowPreparation<Row>,
    private readonly sending: PreparedWrite<PrepareMessages, PreparedMessages, unknown>,
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Sends the messages of a row, unless it is no longer due.
   *
   * @throws the driver's error if the database is unavailable, which does not count as a failure of
   *   the row.
   */
  async send(due: DueReference): Promise<void> {
    try {
      await this.#run(due, (scope, row, state) => this.#prepareOrRefuse(scope, row, state))
    } catch (error) {
      if (this.database.dialect.isUnavailable(error)) throw error
      await this.#run(due, (scope, row) => this.preparation.prepareFailure(scope, row, error))
    }
  }

  /** A refusal is prepared like a message, so that it is still right when it is committed. */
  async #prepareOrRefuse(
    scope: OrganizationScope,
    row: Row,
    state?: OrganizationState,
  ): Promise<PreparedMessages> {
    try {
      return await this.preparation.prepare(scope, row, state)
    } catch (error) {
      if (!(error instanceof ChatError)) throw error
      return this.preparation.prepareFailure(scope, row, error)
    }
  }

  async #run(
    { id, organization_id }: DueReference,
    prepare: RowPreparation<Row>['prepare'],
  ): Promise<void> {
    await this.unitOfWork.runPrepared(organization_id, this.sending, async (scope, state) => {
      const row = await this.rows.findDue(scope, id)
      if (row === undefined) return { messages: [] }
      const prepared = await prepare(scope, row, state)
      return {
        ...prepared,
        isCurrent: (tx) => this.rows.isUnchanged(tx, row),
        before: async (tx) => {
          // Another delivery of the row may be part of the same transaction.
          if (!(await this.rows.complete(tx, row))) throw new Error('The row is not due any more')
          await prepared.before?.(tx)
        },
      }
    })
  }
}
