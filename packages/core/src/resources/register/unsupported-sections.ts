import { Type } from 'typebox'

import { perServer } from '../../kernel/per-server.js'
import type { SnapshotContext, SnapshotSection } from '../snapshot/index.js'

/**
 * What clients find in the sections whose noun does not exist yet, by fetch type: well-formed and
 * empty. Whoever adds the noun deletes its lines here.
 */
const emptySections: Readonly<Record<string, () => Record<string, unknown>>> = {
  // Superseded by the linkifiers above: empty for ever.
  realm_filters: () => ({ realm_filters: [] }),
  onboarding_steps: () => ({ onboarding_steps: [], navigation_tour_video_url: null }),
  stop_words: () => ({ stop_words: [] }),
  giphy: () => ({ giphy_api_key: '' }),
  video_calls: () => ({ has_zoom_token: false }),
  realm_billing: () => ({ realm_billing: { has_pending_sponsorship_request: false } }),
}

/** What the sections add to the answer of `POST /register`. */
export const keysWithoutANoun = {
  realm_filters: Type.Array(Type.Unknown(), { maxItems: 0 }),
  onboarding_steps: Type.Array(Type.Unknown(), { maxItems: 0 }),
  navigation_tour_video_url: Type.Null(),
  stop_words: Type.Array(Type.String()),
  giphy_api_key: Type.String(),
  has_zoom_token: Type.Boolean(),
  realm_billing: Type.Object({ has_pending_sponsorship_request: Type.Boolean() }),
}

/** The sections that belong to no noun, or to none yet. */
@perServer()
export class UnsupportedSections implements SnapshotSection {
  async load(context: SnapshotContext): Promise<Record<string, unknown>> {
    const wanted = Object.entries(emptySections).filter(([type]) => context.wants(type))
    return Object.assign({}, ...wanted.map(([, keys]) => keys())) as Record<string, unknown>
  }
}
