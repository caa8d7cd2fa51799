import type { FollowedLogs } from './followed-logs.js'

/** A state of an organization, compared by identity. */
export type OrganizationState = object

/**
 * Tells whether the state of an organization that some work depends on has changed, so that the
 * work need not be done again if it has not.
 */
export class OrganizationChanges {
  readonly #states = new Map<number, OrganizationState>()

  constructor(
    private readonly logs: Pick<FollowedLogs, 'onAny' | 'onEnd' | 'watch'>,
    /** Whether a record of this kind may change the state that the work depends on. */
    readonly isAffectedBy: (kind: string) => boolean,
  ) {
    logs.onAny((organizationId, { kind }) => {
      if (isAffectedBy(kind)) this.#states.delete(organizationId)
    })
    logs.onEnd((organizationId) => this.#states.delete(organizationId))
  }

  /** The state of the organization before the work reads anything. */
  async watch(organizationId: number): Promise<OrganizationState> {
    await this.logs.watch(organizationId)
    return this.current(organizationId)
  }

  /** The state of the organization as far as this process has followed its log. */
  current(organizationId: number): OrganizationState {
    let state = this.#states.get(organizationId)
    if (state === undefined) {
      state = {}
      this.#states.set(organizationId, state)
    }
    return state
  }
}
