import { inject } from 'tsyringe'

import type { Actor } from '../../domain/actor.js'
import { nowSeconds, type Clock } from '../../kernel/clock.js'
import { perServer } from '../../kernel/per-server.js'
import { ClockToken } from '../../kernel/tokens.js'
import { Database, UnitOfWork, type OrganizationScope } from '../../storage/index.js'
import { PushSetup } from '../push-relay/index.js'
import { isActive, PushDeviceRepository, type PushDeviceRow } from './push-device-repository.js'
import { PushRegistrationRepository } from './push-registration-repository.js'
import { PushRegistrations } from './push-registrations.js'

/** A device as its client registers it. */
export interface NewPushDevice {
  readonly tokenKind: 'apns' | 'fcm'
  readonly pushAccountId: bigint
  readonly pushPublicKey: string
  readonly bouncerPublicKey: string
  readonly encryptedPushRegistration: string
  /** Where the device reached the server. */
  readonly realmUrl: string
}

/** How far a device's registration has come. */
export interface PushDeviceState {
  readonly status: 'active' | 'pending' | 'failed'
  readonly error_code: string | null
}

/** Keeps the devices that get encrypted notifications. */
@perServer()
export class PushDeviceService {
  constructor(
    @inject(PushDeviceRepository) private readonly devices: PushDeviceRepository,
    @inject(PushRegistrationRepository) private readonly registrations: PushRegistrationRepository,
    @inject(PushRegistrations) private readonly background: PushRegistrations,
    @inject(PushSetup) private readonly setup: PushSetup,
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /**
   * Notes a device, which the relay is told of afterwards. Does nothing if the device is known,
   * unless its registration had failed.
   *
   * @throws {ChatError} `PUSH_SERVICE_NOT_CONFIGURED` if there is no relay.
   */
  async register(actor: Actor, asked: NewPushDevice): Promise<void> {
    this.setup.requireRelay()
    try {
      await this.#store(actor, asked)
    } catch (error) {
      // The device asks twice at once: the other request has noted it.
      if (!this.database.dialect.isUniqueViolation(error)) throw error
    }
  }

  /** The user's devices by account id. */
  async states(
    scope: OrganizationScope,
    userId: number,
  ): Promise<Readonly<Record<string, PushDeviceState>>> {
    const devices = await this.devices.list(scope, userId)
    return Object.fromEntries(devices.map((row) => [row.push_account_id, stateOf(row)]))
  }

  async #store(actor: Actor, asked: NewPushDevice): Promise<void> {
    const { organizationId, userId } = actor
    const pushAccountId = asked.pushAccountId.toString()
    const device = {
      token_kind: asked.tokenKind,
      push_public_key: asked.pushPublicKey,
      realm_url: asked.realmUrl,
      relay_device_id: null,
      error_code: null,
    }
    await this.unitOfWork.runFor(actor, async (tx) => {
      const known = await this.devices.findForChange(tx, userId, pushAccountId)
      if (known?.error_code === null) return
      const whose = { user_id: userId, push_account_id: pushAccountId }
      const deviceId = known?.id ?? (await this.devices.insert(tx, { ...device, ...whose }))
      if (known !== undefined) await this.devices.update(tx, deviceId, device)
      const now = nowSeconds(this.clock)
      await this.registrations.replace(tx, {
        device_id: deviceId,
        bouncer_public_key: asked.bouncerPublicKey,
        encrypted_push_registration: asked.encryptedPushRegistration,
        asked_at_seconds: now,
        attempts: 0,
        due_at_seconds: now,
      })
      tx.afterCommit(() => this.background.wake(organizationId))
    })
  }
}

function stateOf(row: PushDeviceRow): PushDeviceState {
  if (row.error_code !== null) return { status: 'failed', error_code: row.error_code }
  return { status: isActive(row) ? 'active' : 'pending', error_code: null }
}
