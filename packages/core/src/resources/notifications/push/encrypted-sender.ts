import { inject } from 'tsyringe'

import type { Logger } from '../../../kernel/logger.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { LoggerToken } from '../../../kernel/tokens.js'
import { UnitOfWork } from '../../../storage/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import {
  PushDeviceOwners,
  PushDeviceRepository,
  type ActivePushDevice,
} from '../push-devices/index.js'
import { PushSetup, type DeviceNotification } from '../push-relay/index.js'
import { sealedBox } from './anonymous-box.js'

/** The content of a notification, or of a removal, except its origin. */
export interface EncryptedPayload {
  readonly type: 'message' | 'remove' | 'test'
  /** The other fields, for a device that reached the server at this origin. */
  fields(realmUrl: string): object
}

/** Sends end-to-end encrypted notifications. */
@perServer()
export class EncryptedSender {
  constructor(
    @inject(PushDeviceRepository) private readonly devices: PushDeviceRepository,
    @inject(PushDeviceOwners) private readonly owners: PushDeviceOwners,
    @inject(PushSetup) private readonly setup: PushSetup,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
    @inject(LoggerToken) private readonly logger: Logger,
  ) {}

  /**
   * Sends a notification to devices of one user, and deletes devices that are no longer registered.
   *
   * @returns the number of remaining devices.
   * @throws {ChatError} `PUSH_SERVICE_NOT_CONFIGURED` if there is no relay.
   * @throws {PushRelayError} if the relay fails.
   */
  async send(
    organizationId: number,
    userId: number,
    devices: readonly ActivePushDevice[],
    payload: EncryptedPayload,
  ): Promise<number> {
    const relay = this.setup.requireRelay()
    const { name } = await this.organizations.require(organizationId)
    const notifications = devices.flatMap((device) => this.#encrypted(device, name, payload))
    if (notifications.length === 0) return 0
    const realmUuid = await this.setup.realmUuid(organizationId)
    const outcome = await relay.sendToDevices(realmUuid, notifications, this.setup.signal)
    await this.setup.note(organizationId, outcome.status)
    const gone = new Set(outcome.deletedRelayDeviceIds)
    if (gone.size > 0) await this.#deleteGone(organizationId, userId, [...gone])
    return notifications.filter(({ relayDeviceId }) => !gone.has(relayDeviceId)).length
  }

  /** The encrypted notification for a device; empty if encryption fails. */
  #encrypted(
    device: ActivePushDevice,
    realmName: string,
    payload: EncryptedPayload,
  ): DeviceNotification[] {
    const realmUrl = this.facts.address.url ?? device.realm_url
    const plain = {
      realm_url: realmUrl,
      realm_name: realmName,
      user_id: device.user_id,
      type: payload.type,
      ...payload.fields(realmUrl),
    }
    try {
      return [
        {
          relayDeviceId: device.relay_device_id,
          tokenKind: device.token_kind,
          pushAccountId: BigInt(device.push_account_id),
          encryptedData: sealedBox(JSON.stringify(plain), device.push_public_key),
          isAlert: payload.type !== 'remove',
        },
      ]
    } catch (error) {
      // The client registered an invalid key; the user's other devices are not affected.
      this.logger.warn('A device cannot be encrypted for', { deviceId: device.id, err: error })
      return []
    }
  }

  async #deleteGone(
    organizationId: number,
    userId: number,
    relayDeviceIds: readonly number[],
  ): Promise<void> {
    await this.unitOfWork.run(organizationId, async (tx) => {
      await this.devices.deleteRelayed(tx, relayDeviceIds)
      this.owners.noteChange(tx, userId)
    })
  }
}
