import { inject } from 'tsyringe'

import { knownOptions } from '../../../kernel/known-options.js'
import { perServer } from '../../../kernel/per-server.js'
import { ExternalReferences, type OrganizationReference } from '../../people/users/index.js'
import { PresenceReader, type CurrentPresence } from './presence-reader.js'

const call = 'chat.users.presence'
const maxUsers = 1000

/** Whether a user is there, and since when not. */
export interface UserPresence {
  /** `idle` if a client is open but not used, `offline` if none was for more than 200 seconds. */
  readonly status: 'active' | 'idle' | 'offline'
  /**
   * When the user was last active, in UNIX seconds; null if the chat does not know it, for example
   * because the user was never there.
   */
  readonly lastActiveAtSeconds: number | null
}

/** Tells the application which of its users are there. */
@perServer()
export class ApplicationPresences {
  constructor(
    @inject(ExternalReferences) private readonly references: ExternalReferences,
    @inject(PresenceReader) private readonly reader: PresenceReader,
  ) {}

  /** The presences of the users who have an active account, by the application's ids. */
  async of(
    applicationUserIds: readonly (string | number)[],
    options: OrganizationReference = {},
  ): Promise<Map<string, UserPresence>> {
    knownOptions(call, options, { organization: true })
    const { organizationId, users } = await this.references.listActive(
      call,
      applicationUserIds,
      maxUsers,
      options,
    )
    const presences = await this.reader.readCurrent(
      organizationId,
      users.map(({ id }) => id),
    )
    return new Map(users.map(({ id, external_id }) => [external_id, viewOf(presences.get(id))]))
  }
}

function viewOf(presence: CurrentPresence | undefined): UserPresence {
  if (presence === undefined) return { status: 'offline', lastActiveAtSeconds: null }
  return { status: presence.status, lastActiveAtSeconds: presence.activeAtSeconds }
}
