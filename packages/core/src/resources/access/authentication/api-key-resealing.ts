import { inject } from 'tsyringe'

import type { Logger } from '../../../kernel/logger.js'
import type { BackgroundWork, Round } from '../../../kernel/periodic-task.js'
import { perServer } from '../../../kernel/per-server.js'
import { UnknownSecretError } from '../../../kernel/secret-box.js'
import { LoggerToken } from '../../../kernel/tokens.js'
import { UnitOfWork } from '../../../storage/index.js'
import {
  ApiKeys,
  SealedKeyRepository,
  ServerSecret,
  type SealedKeyRow,
} from '../../people/credentials/index.js'
import { UserRepository } from '../../people/users/index.js'
import { OwnApiKey } from './own-api-key.js'

const keysPerBatch = 100
const batchesPerReport = 100

/**
 * Encrypts API keys under the current secret that are encrypted under another one. Each key is
 * committed separately, so a process may exit at any time, and several may work at once.
 */
@perServer()
export class ApiKeyResealing implements BackgroundWork {
  readonly name = 'Sealing API keys under the current secret'
  readonly intervalMilliseconds = 15 * 60 * 1000

  constructor(
    @inject(ServerSecret) private readonly secret: ServerSecret,
    @inject(SealedKeyRepository) private readonly sealedKeys: SealedKeyRepository,
    @inject(ApiKeys) private readonly apiKeys: ApiKeys,
    @inject(OwnApiKey) private readonly ownApiKey: OwnApiKey,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(LoggerToken) private readonly logger: Logger,
  ) {}

  async round({ stopping }: Round): Promise<void> {
    const secretId = this.secret.currentId
    let keys = await this.sealedKeys.listOthers(secretId, '', keysPerBatch)
    if (keys.length === 0 || !(await this.secret.isNewest())) return
    const total = await this.sealedKeys.countOthers(secretId)
    let [done, unreadable, batches] = [0, 0, 0]
    while (keys.length > 0 && !stopping.aborted) {
      const results = await Promise.all(keys.map((row) => this.#reseal(row)))
      done += results.length
      unreadable += results.filter((isReadable) => !isReadable).length
      batches += 1
      if (batches % batchesPerReport === 0) {
        this.logger.info('API keys are being sealed under the current secret', { done, total })
      }
      const last = keys.at(-1)?.api_key_sealed ?? ''
      keys = await this.sealedKeys.listOthers(secretId, last, keysPerBatch)
    }
    if (unreadable > 0) {
      this.logger.error(
        'There are API keys that no given secret opens: give previousSecrets the secret that is missing',
        { unreadable },
      )
    } else if (!stopping.aborted) {
      this.logger.info('All API keys are sealed under the current secret', { done, secretId })
    }
  }

  /** @returns false if none of the configured secrets decrypts the key. */
  async #reseal(row: SealedKeyRow): Promise<boolean> {
    const { id, organization_id, api_key_sealed } = row
    try {
      const { api_key_sealed: sealed } = this.apiKeys.toStored(this.apiKeys.reveal(row))
      await this.unitOfWork.run(organization_id, (tx) => this.sealedKeys.replace(tx, row, sealed), {
        skipWriteLock: true,
      })
      return true
    } catch (error) {
      if (!(error instanceof UnknownSecretError)) throw error
      if (!this.secret.isLost(error.secretId)) return false
    }
    const newKey = this.apiKeys.create()
    await this.unitOfWork.run(organization_id, async (tx) => {
      const user = await this.users.find(tx, id)
      // The user may have replaced the key meanwhile.
      if (user?.api_key_sealed !== api_key_sealed) return
      await this.ownApiKey.replace(tx, user, newKey, true)
    })
    return true
  }
}
