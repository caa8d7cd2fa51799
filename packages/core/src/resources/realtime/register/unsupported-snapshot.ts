import { Type } from 'typebox'

import { perServer } from '../../../kernel/per-server.js'
import {
  defineSnapshot,
  type SnapshotContext,
  type SnapshotValues,
} from '../../../resource-definition/snapshot.js'

/** The keys that the snapshots add to the response of `POST /register`. */
const unsupportedKeys = {
  realm_filters: Type.Array(Type.Unknown(), { maxItems: 0 }),
  onboarding_steps: Type.Array(Type.Unknown(), { maxItems: 0 }),
  navigation_tour_video_url: Type.Null(),
  stop_words: Type.Array(Type.String()),
  giphy_api_key: Type.String(),
  has_zoom_token: Type.Boolean(),
  realm_billing: Type.Object({ has_pending_sponsorship_request: Type.Boolean() }),
}

/**
 * Empty snapshots for the features that Parley does not have, by fetch type. When a
 * resource for one is added, its lines here are to be deleted.
 */
const emptySnapshots: Readonly<Record<string, SnapshotValues<typeof unsupportedKeys>>> = {
  // Superseded by the linkifiers: always empty.
  realm_filters: { realm_filters: [] },
  onboarding_steps: { onboarding_steps: [], navigation_tour_video_url: null },
  stop_words: { stop_words: [] },
  giphy: { giphy_api_key: '' },
  video_calls: { has_zoom_token: false },
  realm_billing: { realm_billing: { has_pending_sponsorship_request: false } },
}

/** The snapshots without a resource. */
@perServer()
export class UnsupportedFeatures {
  async load(context: SnapshotContext): Promise<SnapshotValues<typeof unsupportedKeys>> {
    return Object.entries(emptySnapshots).reduce<SnapshotValues<typeof unsupportedKeys>>(
      (all, [type, values]) => (context.wants(type) ? { ...all, ...values } : all),
      {},
    )
  }
}

export const unsupportedSnapshot = defineSnapshot({
  keys: unsupportedKeys,
  service: UnsupportedFeatures,
  load: async (service, context) => service.load(context),
})
