import { createPublicKey, diffieHellman, generateKeyPairSync } from 'node:crypto'

import { hsalsa, xsalsa20poly1305 } from '@noble/ciphers/salsa.js'
import { blake2b } from '@noble/hashes/blake2.js'
import { inject } from 'tsyringe'

import type { Logger } from '../../../kernel/logger.js'
import { perServer } from '../../../kernel/per-server.js'
import { type ServerFacts, ServerFactsToken } from '../../../kernel/server-facts.js'
import { LoggerToken } from '../../../kernel/tokens.js'
import { UnitOfWork } from '../../../storage/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import {
  type ActivePushDevice,
  PushDeviceOwners,
  PushDeviceRepository,
} from '../push-devices/index.js'
import { type DeviceNotification, PushSetup } from '../push-relay/index.js'

const keyBytes = 32
/** "expand 32-byte k": the constant of Salsa20 with a key of that length. */
const sigma = wordsOf(new TextEncoder().encode('expand 32-byte k'))

/**
 * Encrypts a text for the owner of a private key, without authenticating the sender: NaCl's sealed
 * box (`crypto_box_seal`). X25519 with an ephemeral key pair, XSalsa20-Poly1305, and a nonce that
 * is the BLAKE2b hash of both public keys.
 *
 * @param publicKey base64 of 32 bytes.
 * @returns base64.
 * @throws {Error} if the key is not a valid X25519 public key of 32 bytes.
 */
function sealedBox(text: string, publicKey: string): string {
  const theirs = Buffer.from(publicKey, 'base64')
  if (theirs.length !== keyBytes) throw new Error('The public key has not 32 bytes')
  const pair = generateKeyPairSync('x25519')
  const ours = Buffer.from(pair.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  const sharedPoint = diffieHellman({
    privateKey: pair.privateKey,
    publicKey: createPublicKey({
      key: { kty: 'OKP', crv: 'X25519', x: theirs.toString('base64url') },
      format: 'jwk',
    }),
  })
  const nonce = blake2b(Buffer.concat([ours, theirs]), { dkLen: 24 })
  const box = xsalsa20poly1305(boxKey(sharedPoint), nonce)
  return Buffer.concat([ours, box.encrypt(new TextEncoder().encode(text))]).toString('base64')
}

/** Derives a uniformly random key from a point of the curve with HSalsa20. */
function boxKey(sharedPoint: Uint8Array): Uint8Array {
  const key = new Uint32Array(keyBytes / 4)
  hsalsa(sigma, wordsOf(sharedPoint), new Uint32Array(4), key)
  return new Uint8Array(key.buffer)
}

/** Copies the bytes, because a `Uint32Array` needs an aligned offset. */
function wordsOf(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(Uint8Array.from(bytes).buffer)
}

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
