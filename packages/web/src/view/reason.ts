import { ApiError } from '@parley/client'

import { texts } from '../texts.js'

/** Why a call has failed, for people. */
export function reasonOf(error: unknown): string {
  return error instanceof ApiError ? error.message : texts.noConnection
}
