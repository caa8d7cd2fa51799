import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/users/actor.js'
import { ChatError } from '../../../errors/index.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { Database } from '../../../storage/index.js'
import {
  isActive,
  PushDeviceRepository,
  PushTokenRepository,
  type PushTokenRow,
} from '../push-devices/index.js'
import { PushSetup } from '../push-relay/index.js'
import { EncryptedSender } from './encrypted-sender.js'
import { TokenSender } from './token-sender.js'

/** Sends test notifications. */
@perServer()
export class TestNotifications {
  constructor(
    @inject(PushTokenRepository) private readonly tokens: PushTokenRepository,
    @inject(PushDeviceRepository) private readonly devices: PushDeviceRepository,
    @inject(TokenSender) private readonly tokenSender: TokenSender,
    @inject(EncryptedSender) private readonly encryptedSender: EncryptedSender,
    @inject(PushSetup) private readonly setup: PushSetup,
    @inject(Database) private readonly database: Database,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /**
   * Sends one to the device with this token, or to all of the actor's devices that have one.
   *
   * @throws {ChatError} `INVALID_PUSH_DEVICE_TOKEN` if the actor does not have the token, and the
   *   errors that the relay's failures map to.
   */
  async sendToTokens(actor: Actor, token: string | undefined): Promise<void> {
    const own = await this.tokens.list(this.database.read(actor.organizationId), actor.userId)
    const targets = token === undefined ? own : own.filter((row) => isSameToken(row, token))
    if (token !== undefined && targets.length === 0)
      throw new ChatError('INVALID_PUSH_DEVICE_TOKEN')
    try {
      for (const row of targets) await this.tokenSender.sendTest(actor, row)
    } catch (error) {
      throw await this.setup.explain(actor.organizationId, error)
    }
  }

  /**
   * Sends an encrypted test to the device with this account id, or to all of the actor's devices
   * that are registered at the relay.
   *
   * @throws {ChatError} `NO_ACTIVE_PUSH_DEVICE` if there is no such device, and the errors that the
   *   relay's failures map to.
   */
  async sendEncrypted(actor: Actor, pushAccountId: bigint | undefined): Promise<void> {
    const scope = this.database.read(actor.organizationId)
    const targets = (await this.devices.list(scope, actor.userId))
      .filter(isActive)
      .filter(
        (device) => (pushAccountId ?? device.push_account_id).toString() === device.push_account_id,
      )
    if (targets.length === 0) throw new ChatError('NO_ACTIVE_PUSH_DEVICE')
    const time = nowSeconds(this.clock)
    const payload = { type: 'test', fields: () => ({ time }) } as const
    let left: number
    try {
      const { organizationId, userId } = actor
      left = await this.encryptedSender.send(organizationId, userId, targets, payload)
    } catch (error) {
      throw await this.setup.explain(actor.organizationId, error)
    }
    if (left === 0) throw new ChatError('NO_ACTIVE_PUSH_DEVICE')
  }
}

function isSameToken(row: PushTokenRow, token: string): boolean {
  return row.token === token || (row.kind === 1 && row.token.toLowerCase() === token.toLowerCase())
}
