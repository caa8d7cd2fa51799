import { inject } from 'tsyringe'

import { actorOfCall, hasRole, Role } from '../../../domain/users/actor.js'
import type { CallOrigin } from '../../../domain/users/call-origin.js'
import { perServer } from '../../../kernel/per-server.js'
import { UnitOfWork } from '../../../storage/index.js'
import { actorOf, type UserRow } from '../../people/users/index.js'

/** Adds the sign-ins of administrators and owners to the audit trail. */
@perServer()
export class SignInAudit {
  constructor(@inject(UnitOfWork) private readonly unitOfWork: UnitOfWork) {}

  /** Call it before the user gets the API key. */
  async note(user: UserRow, origin: CallOrigin): Promise<void> {
    if (!hasRole(user, Role.administrator)) return
    await this.unitOfWork.run(
      user.organization_id,
      async (tx) => {
        tx.caller = actorOfCall(actorOf(user), origin)
        tx.audit({ action: 'user.signed_in', objectId: user.id })
      },
      { skipWriteLock: true },
    )
  }
}
