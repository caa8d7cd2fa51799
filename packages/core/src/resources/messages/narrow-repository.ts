import { foldCase } from '../../domain/folding.js'
import { perServer } from '../../kernel/per-server.js'
import type { OrganizationScope } from '../../storage/index.js'

/** Looks up what narrows name. */
@perServer()
export class NarrowRepository {
  /** Takes no lock, unlike the look-up of a channel that is posted to. */
  async findChannelId(
    scope: OrganizationScope,
    named: string | number,
    { onlyWebPublic = false } = {},
  ): Promise<number | undefined> {
    const row = await scope
      .query('channels')
      .where(typeof named === 'number' ? { id: named } : { name_key: foldCase(named) })
      .where(onlyWebPublic ? { is_web_public: true } : {})
      .first<{ id: number } | undefined>('id')
    return row?.id
  }
}
