import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineOperation } from '../../../http/operation.js'
import { PlaygroundService } from './playground-service.js'
import { playgrounds } from './playgrounds-table.js'

export const addCodePlayground = defineOperation({
  id: 'add-code-playground',
  summary: 'Add a code playground: a site that runs code blocks of a language.',
  method: 'POST',
  path: '/realm/playgrounds',
  access: 'administrator',
  params: {
    name: Type.String({
      trim: true,
      maxLength: playgrounds.columns.name.maxLength,
      contentKind: 'playground.name',
    }),
    pygments_language: Type.String({
      trim: true,
      maxLength: playgrounds.columns.pygments_language.maxLength,
    }),
    url_template: Type.String({
      trim: true,
      maxLength: 10_000,
      description:
        'RFC 6570 template with the variable `code`; begins with `https://` or `http://`.',
    }),
  },
  response: Type.Object({ id: Type.Integer() }),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL', 'VALIDATION_FAILED'],
  service: PlaygroundService,
  async handle(playgrounds, { actor, params }) {
    return { id: await playgrounds.add(actor, params) }
  },
})

export const removeCodePlayground = defineOperation({
  id: 'remove-code-playground',
  summary: 'Remove a code playground.',
  method: 'DELETE',
  path: '/realm/playgrounds/{playground_id}',
  access: 'administrator',
  params: { playground_id: Bounded.id() },
  response: Type.Object({}),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  service: PlaygroundService,
  async handle(playgrounds, { actor, params }) {
    await playgrounds.remove(actor, params.playground_id)
    return {}
  },
})
