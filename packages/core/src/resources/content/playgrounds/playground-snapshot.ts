import { Type } from 'typebox'

import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import { Playground } from './playground-schemas.js'
import { PlaygroundService } from './playground-service.js'

export const playgroundSnapshot = defineSnapshot({
  keys: { realm_playgrounds: Type.Array(Playground) },
  fetchType: 'realm_playgrounds',
  service: PlaygroundService,
  async load(playgrounds, context) {
    return { realm_playgrounds: await playgrounds.list(context.scope) }
  },
})
