import { inject } from 'tsyringe'

import { Background } from '../../../kernel/background.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import type { Logger } from '../../../kernel/logger.js'
import type { BackgroundWork, Round } from '../../../kernel/periodic-task.js'
import { perServer } from '../../../kernel/per-server.js'
import { Telemetry } from '../../../kernel/telemetry/telemetry.js'
import { ClockToken, LoggerToken } from '../../../kernel/tokens.js'
import {
  Database,
  dueIntervalMilliseconds,
  DueRows,
  UnitOfWork,
  type DueReference,
  type OrganizationScope,
} from '../../../storage/index.js'
import { MessageSending, type PreparedMessages } from '../../messages/sending/index.js'
import { OutgoingWebhookAnswers, type ReplyAttempt } from './outgoing-webhook-answers.js'
import { OutgoingWebhookCalls, type CallSubject } from './outgoing-webhook-calls.js'
import type { ReadAnswer } from './outgoing-webhook-formats.js'
import { OutgoingWebhookReplies } from './outgoing-webhook-replies.js'
import type { OutgoingWebhookCallRow } from './outgoing-webhook-calls-table.js'
import { OutgoingWebhookRulesToken, type OutgoingWebhookRules } from './outgoing-webhook-rules.js'
import { OutgoingWebhookStep } from './outgoing-webhook-step.js'
import { WebhookClient, type WebhookOutcome } from './webhook-client.js'

/** Longer than a call can take. */
const leaseSeconds = 60
const callsAtOnce = 20
/** Delays after failed attempts; there is no retry after the last one. */
const retryDelaysSeconds = [10, 30, 90]
const maxAttempts = retryDelaysSeconds.length + 1

/** Why a call has finally failed. */
interface Failure {
  /** Text of the reply to the user who called the bot. */
  readonly reply: string
  /** Text for the owner of the bot; undefined if there is nothing that they can fix. */
  readonly owner?: string
  /** The response body. */
  readonly body?: string
}

/**
 * Calls the services of outgoing webhook bots.
 *
 * A call is stored in the transaction of its message. A process leases it, makes the request, and
 * deletes the call in the transaction of the bot's reply, which is prepared before. So the service may
 * be called again if a process ends during a call, but the reply is sent exactly once.
 */
@perServer()
export class OutgoingWebhookDelivery implements BackgroundWork {
  readonly name = 'Calling outgoing webhook bots'
  readonly intervalMilliseconds = dueIntervalMilliseconds
  readonly isOff: boolean
  readonly #rows: DueRows<OutgoingWebhookCallRow>

  constructor(
    @inject(OutgoingWebhookCalls) private readonly calls: OutgoingWebhookCalls,
    @inject(OutgoingWebhookAnswers) private readonly answers: OutgoingWebhookAnswers,
    @inject(OutgoingWebhookReplies) private readonly replies: OutgoingWebhookReplies,
    @inject(WebhookClient) private readonly client: WebhookClient,
    @inject(OutgoingWebhookRulesToken) rules: OutgoingWebhookRules,
    @inject(OutgoingWebhookStep) step: OutgoingWebhookStep,
    @inject(MessageSending) private readonly sending: MessageSending,
    @inject(Telemetry) private readonly telemetry: Telemetry,
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(LoggerToken) private readonly logger: Logger,
    @inject(Background) background: Background,
  ) {
    this.#rows = new DueRows('outgoing_webhook_calls', database, unitOfWork, clock)
    this.isOff = !rules.isOn
    step.onQueued(() => background.wake(this))
  }

  async round(round: Round): Promise<void> {
    await this.#rows.processDue(round, (due) => this.#deliver(due, round.stopping), callsAtOnce)
  }

  async end(): Promise<void> {
    await this.#rows.idle()
  }

  async #deliver({ id, organization_id }: DueReference, stopping: AbortSignal): Promise<void> {
    const [row] = await this.#rows.lease(organization_id, [id], leaseSeconds)
    if (row === undefined) return
    const scope = this.database.read(organization_id)
    const call = await this.calls.find(scope, row)
    if (call === undefined) {
      await this.#complete(row, async () => ({ messages: [] }))
      return
    }
    if ('problem' in call) {
      const { problem } = call
      await this.#complete(row, (scope, subject) => this.#fail(scope, subject, { reply: problem }))
      return
    }
    // This limit is exceeded only if processes ended during earlier calls.
    const outcome: WebhookOutcome =
      row.attempts > maxAttempts
        ? { kind: 'timeout' }
        : await this.client.post(call.request, stopping)
    const { webhookCalls } = this.telemetry
    if (webhookCalls.isOn) webhookCalls.record(1, { 'parley.outcome': outcome.kind })
    const retry = this.#retryAfter(row, outcome)
    if (retry !== undefined) {
      await this.unitOfWork.run(organization_id, (tx) => this.#rows.change(tx, row, retry))
      return
    }
    const read = isAnswer(outcome) ? await this.replies.read(call, outcome.body) : undefined
    await this.#complete(row, (scope, subject) => this.#finish(scope, subject, outcome, read))
  }

  /**
   * Deletes the row and sends messages, unless another process has leased the row since. Nothing is
   * sent if bot and message have changed so during the call that it would not be made now.
   */
  async #complete(
    row: OutgoingWebhookCallRow,
    prepare: (scope: OrganizationScope, subject: CallSubject) => Promise<PreparedMessages>,
  ): Promise<void> {
    await this.unitOfWork.runPrepared(row.organization_id, this.sending, async (scope) => {
      if (!(await this.#rows.isUnchanged(scope, row))) return { messages: [] }
      const subject = await this.calls.findSubject(scope, row)
      const prepared = subject === undefined ? { messages: [] } : await prepare(scope, subject)
      return {
        ...prepared,
        isCurrent: (tx) => this.#rows.isUnchanged(tx, row),
        before: async (tx) => {
          await this.#rows.delete(tx, [row])
          await prepared.before?.(tx)
        },
      }
    })
  }

  /** The changes of the row that schedule another attempt; undefined if there is none. */
  #retryAfter(
    { attempts }: OutgoingWebhookCallRow,
    outcome: WebhookOutcome,
  ): Partial<OutgoingWebhookCallRow> | undefined {
    const now = nowSeconds(this.clock)
    const { kind } = outcome
    if (kind === 'stopped') return { attempts: attempts - 1, due_at_seconds: now }
    const isPassing =
      kind === 'timeout' || kind === 'unreachable' || (kind === 'answered' && outcome.status >= 500)
    const delaySeconds = retryDelaysSeconds[attempts - 1]
    if (!isPassing || delaySeconds === undefined) return undefined
    return { due_at_seconds: now + delaySeconds }
  }

  async #finish(
    scope: OrganizationScope,
    subject: CallSubject,
    outcome: WebhookOutcome,
    read: ReadAnswer | undefined,
  ): Promise<PreparedMessages> {
    if (outcome.kind !== 'answered' || read === undefined) {
      return this.#fail(scope, subject, failureOf(outcome))
    }
    const reply = await this.#reply(scope, subject, read)
    if (reply === undefined) return { messages: [] }
    if ('message' in reply) return { messages: [reply.message] }
    const { problem } = reply
    const owner =
      'The outgoing webhook server attempted to send a message, but that request resulted in the ' +
      `following error:\n> ${problem}`
    return this.#fail(scope, subject, { reply: problem, owner, body: outcome.body })
  }

  /** @returns undefined if the bot does not want to reply. */
  async #reply(
    scope: OrganizationScope,
    { bot, message }: CallSubject,
    read: ReadAnswer,
  ): Promise<ReplyAttempt | undefined> {
    if (read.problem !== undefined) return { problem: read.problem }
    if (read.answer === undefined) return undefined
    return this.answers.reply(scope, bot, message, read.answer)
  }

  async #fail(
    scope: OrganizationScope,
    { bot, message }: CallSubject,
    { reply, owner, body }: Failure,
  ): Promise<PreparedMessages> {
    const attempts = [
      await this.answers.reply(scope, bot, message, { content: `Failure! ${reply}` }),
      owner === undefined
        ? undefined
        : await this.answers.ownerNotice(scope, bot, message, owner, body),
    ]
    return {
      messages: attempts.flatMap((attempt) =>
        attempt !== undefined && 'message' in attempt ? [attempt.message] : [],
      ),
      before: async (tx) =>
        tx.afterCommit(() => {
          this.logger.warn('Calling an outgoing webhook bot failed', {
            botId: bot.id,
            messageId: message.id,
            reason: reply,
          })
        }),
    }
  }
}

type Answered = Extract<WebhookOutcome, { kind: 'answered' }>

function isAnswer(outcome: WebhookOutcome): outcome is Answered {
  return outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300
}

function failureOf(outcome: WebhookOutcome): Failure {
  switch (outcome.kind) {
    case 'answered':
      return {
        reply: `Third party responded with ${outcome.status}`,
        owner: `The webhook got a response with status code *${outcome.status}*.`,
        body: outcome.body,
      }
    case 'timeout':
      return { reply: 'Bot is unavailable', owner: 'A timeout occurred.' }
    case 'private':
      return {
        reply: 'Bot is unavailable',
        owner: 'The URL configured for the webhook is for a private or disallowed network.',
      }
    case 'tooLong':
      return { reply: 'The response is too long', owner: 'The response is too long.' }
    default:
      return {
        reply: 'Bot is unavailable',
        owner: 'A connection error occurred. Is my bot server down?',
      }
  }
}
