import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'

@perServer()
export class SpectatorRepository {
  async hasWebPublicChannel(scope: OrganizationScope): Promise<boolean> {
    const row = await scope
      .query('channels')
      .where({ is_web_public: true, is_archived: false })
      .first<{ id: number } | undefined>('id')
    return row !== undefined
  }
}
