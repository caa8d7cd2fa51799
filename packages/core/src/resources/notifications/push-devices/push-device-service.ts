import { inject } from 'tsyringe'

import { Quotas } from '../../../domain/quotas.js'
import type { Actor } from '../../../domain/users/actor.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { UnitOfWork, type OrganizationScope } from '../../../storage/index.js'
import { PushSetup } from '../push-relay/index.js'
import { isActive, PushDeviceRepository } from './push-device-repository.js'
import { pushDevices, type PushDeviceRow, pushRegistrations } from './push-devices-table.js'
import { PushRegistrations } from './push-registrations.js'

/** A device in a client's request. */
export interface NewPushDevice {
  readonly tokenKind: 'apns' | 'fcm'
  readonly pushAccountId: bigint
  readonly pushPublicKey: string
  readonly bouncerPublicKey: string
  readonly encryptedPushRegistration: string
  /** The origin at which the device reached the server. */
  readonly realmUrl: string
}

/** The registration state of a device. */
export interface PushDeviceState {
  readonly status: 'active' | 'pending' | 'failed'
  readonly error_code: string | null
}

/** Manages the devices that get encrypted push notifications. */
@perServer()
export class PushDeviceService {
  constructor(
    @inject(PushDeviceRepository) private readonly devices: PushDeviceRepository,
    @inject(PushRegistrations) private readonly background: PushRegistrations,
    @inject(PushSetup) private readonly setup: PushSetup,
    @inject(Quotas) private readonly quotas: Quotas,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /**
   * Stores a device; it is registered at the relay in the background. Does nothing if the device
   * already exists, unless its registration has failed.
   *
   * @throws {ChatError} `PUSH_SERVICE_NOT_CONFIGURED` if there is no relay; `BAD_REQUEST` if the
   *   actor has too many devices.
   */
  async register(actor: Actor, device: NewPushDevice): Promise<void> {
    this.setup.requireRelay()
    const { organizationId, userId } = actor
    const pushAccountId = device.pushAccountId.toString()
    const columns = {
      token_kind: device.tokenKind,
      push_public_key: device.pushPublicKey,
      realm_url: device.realmUrl,
      relay_device_id: null,
      error_code: null,
    }
    await this.unitOfWork.runFor(actor, async (tx) => {
      const known = await tx
        .rows(pushDevices)
        .lock({ user_id: userId, push_account_id: pushAccountId })
      if (known?.error_code === null) return
      if (known === undefined) {
        this.quotas.require(
          'pushDevicesPerUser',
          (await tx.rows(pushDevices).count({ user_id: userId })) + 1,
        )
      }
      const whose = { user_id: userId, push_account_id: pushAccountId }
      const deviceId = known?.id ?? (await tx.rows(pushDevices).insert({ ...columns, ...whose }))
      if (known !== undefined) await tx.rows(pushDevices).update({ id: deviceId }, columns)
      const now = nowSeconds(this.clock)
      await tx.rows(pushRegistrations).delete({ device_id: deviceId })
      await tx.rows(pushRegistrations).insert({
        device_id: deviceId,
        bouncer_public_key: device.bouncerPublicKey,
        encrypted_push_registration: device.encryptedPushRegistration,
        asked_at_seconds: now,
        attempts: 0,
        due_at_seconds: now,
      })
      tx.afterCommit(() => this.background.wake(organizationId))
    })
  }

  /** The user's devices by account id. */
  async states(
    scope: OrganizationScope,
    userId: number,
  ): Promise<Readonly<Record<string, PushDeviceState>>> {
    const devices = await this.devices.list(scope, userId)
    return Object.fromEntries(devices.map((row) => [row.push_account_id, stateOf(row)]))
  }
}

function stateOf(row: PushDeviceRow): PushDeviceState {
  if (row.error_code !== null) return { status: 'failed', error_code: row.error_code }
  return { status: isActive(row) ? 'active' : 'pending', error_code: null }
}
