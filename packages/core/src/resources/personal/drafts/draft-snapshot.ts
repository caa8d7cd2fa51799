import { Type } from 'typebox'

import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import { Draft } from './draft-schemas.js'
import { DraftService } from './draft-service.js'

/** The maximum number of drafts in a snapshot, which contains the newest. */
const maxDrafts = 1000

export const draftSnapshot = defineSnapshot({
  keys: { drafts: Type.Array(Draft) },
  fetchType: 'drafts',
  service: DraftService,
  async load(drafts, context) {
    return { drafts: await drafts.listNewest(context.scope, context.actor.userId, maxDrafts) }
  },
})
