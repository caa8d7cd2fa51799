import { inject } from 'tsyringe'

import { Background } from '../../../kernel/background.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import type { Round } from '../../../kernel/periodic-task.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { Database, DueRows, UnitOfWork } from '../../../storage/index.js'
import { PushRelayError, PushRounds, PushSetup, type PushWork } from '../push-relay/index.js'
import { pushDeviceChanged } from './push-device-events.js'
import { PushDeviceOwners } from './push-device-owners.js'
import { pushDevices, type PushDeviceRow, type PushRegistrationRow } from './push-devices-table.js'

const batchSize = 20
const rowsPerRound = 1000
/** Longer than a relay can take to answer, so that there are no concurrent attempts. */
const leaseSeconds = 60
const firstDelaySeconds = 20
const maxDelaySeconds = 1800
/** Relays reject older registrations. */
const lifespanSeconds = 86_400
const finalRefusals = new Set(['INVALID_BOUNCER_PUBLIC_KEY', 'REQUEST_EXPIRED', 'BAD_REQUEST'])

/** Sends registrations to the relay, with retries until it accepts or rejects them. */
@perServer()
export class PushRegistrations implements PushWork {
  readonly name = 'Registering devices for notifications'
  readonly intervalMilliseconds = 20_000
  readonly isOff: boolean
  readonly #rounds: PushRounds
  readonly #rows: DueRows<PushRegistrationRow>

  constructor(
    @inject(PushDeviceOwners) private readonly owners: PushDeviceOwners,
    @inject(PushSetup) private readonly setup: PushSetup,
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(Background) background: Background,
  ) {
    this.isOff = setup.relay === undefined
    this.#rounds = new PushRounds(this, background)
    this.#rows = new DueRows('push_registrations', database, unitOfWork, clock)
  }

  /** Announces a new registration in the organization. */
  wake(organizationId: number): void {
    this.#rounds.wake(organizationId)
  }

  async round(round: Round): Promise<void> {
    await this.#rounds.round(round)
  }

  async listWaiting(): Promise<readonly number[]> {
    const due = await this.#rows.listDue(rowsPerRound)
    return due.map((row) => row.organization_id)
  }

  async run(organizationId: number): Promise<void> {
    const scope = this.database.read(organizationId)
    for await (const leased of this.#rows.leaseBatches(organizationId, batchSize, leaseSeconds)) {
      const devices = await scope.rows(pushDevices).list({ id: leased.map((row) => row.device_id) })
      await Promise.all(
        leased.map(async (attempt) => {
          const device = devices.find(({ id }) => id === attempt.device_id)
          if (device !== undefined) await this.#attempt(attempt, device)
        }),
      )
    }
  }

  async #attempt(attempt: PushRegistrationRow, device: PushDeviceRow): Promise<void> {
    try {
      const relayDeviceId = await this.setup.requireRelay().registerDevice(
        {
          realmUuid: await this.setup.realmUuid(device.organization_id),
          pushAccountId: BigInt(device.push_account_id),
          encryptedPushRegistration: attempt.encrypted_push_registration,
          bouncerPublicKey: attempt.bouncer_public_key,
        },
        this.setup.signal,
      )
      await this.#succeed(attempt, device, relayDeviceId)
    } catch (error) {
      if (!(error instanceof PushRelayError)) throw error
      await this.setup.explain(device.organization_id, error)
      await this.#fail(attempt, device, this.#finalCode(attempt, error))
    }
  }

  async #succeed(
    attempt: PushRegistrationRow,
    { id, organization_id, user_id, push_account_id }: PushDeviceRow,
    relayDeviceId: number,
  ): Promise<void> {
    await this.unitOfWork.run(organization_id, async (tx) => {
      if ((await this.#rows.delete(tx, [attempt])) === 0) return
      await tx.rows(pushDevices).update({ id }, { relay_device_id: relayDeviceId })
      this.owners.noteChange(tx, user_id)
      const news = { push_account_id, status: 'active' } as const
      tx.emit(pushDeviceChanged({ userIds: [user_id] }, news))
    })
    await this.setup.noteAccepted(organization_id)
  }

  /** The error code if a retry would not help; otherwise undefined. */
  #finalCode(attempt: PushRegistrationRow, error: PushRelayError): string | undefined {
    if (error.problem === 'refused' && finalRefusals.has(error.code)) return error.code
    const age = nowSeconds(this.clock) - attempt.asked_at_seconds
    return age > lifespanSeconds ? 'REQUEST_EXPIRED' : undefined
  }

  async #fail(
    attempt: PushRegistrationRow,
    { id, organization_id, user_id, push_account_id }: PushDeviceRow,
    code: string | undefined,
  ): Promise<void> {
    await this.unitOfWork.run(organization_id, async (tx) => {
      if (code === undefined) {
        const delay = firstDelaySeconds * 2 ** Math.min(attempt.attempts - 1, 10)
        const dueAt = nowSeconds(this.clock) + Math.min(delay, maxDelaySeconds)
        await this.#rows.change(tx, attempt, { due_at_seconds: dueAt })
        return
      }
      if ((await this.#rows.delete(tx, [attempt])) === 0) return
      await tx.rows(pushDevices).update({ id }, { error_code: code })
      const news = { push_account_id, status: 'failed', error_code: code } as const
      tx.emit(pushDeviceChanged({ userIds: [user_id] }, news))
    })
  }
}
