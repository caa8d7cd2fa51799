import { inject } from 'tsyringe'

import { isGuest, type Role } from '../../../domain/users/actor.js'
import { defineRecord } from '../../../events/record-kind.js'
import { perServer } from '../../../kernel/per-server.js'
import { UnitOfWork, type AudienceChange, type Transaction } from '../../../storage/index.js'
import { ActiveUserRepository } from './active-user-repository.js'
import { OrganizationRepository, type ActiveAudiences } from './organization-repository.js'
import { SharedValues, type SharedValue } from './shared-values.js'

/** The lists were built, or have changed. */
const activeAudiencesChanged = defineRecord<object>('@active_audiences')

/** The columns that decide which of the lists a user is in. */
interface Person {
  readonly id: number
  readonly role: Role
}

/** The audiences of events that concern the whole organization. */
@perServer()
export class ActiveUsers {
  readonly #known: SharedValue<ActiveAudiences>

  constructor(
    @inject(ActiveUserRepository) private readonly users: ActiveUserRepository,
    @inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(SharedValues) shared: SharedValues,
  ) {
    this.#known = shared.define('active_audiences', {
      load: (scope) => organizations.activeAudiences(scope),
      changedBy: [activeAudiencesChanged],
      isAnnouncedAtOnce: true,
    })
  }

  /** The interned list of all active users, including guests and bots. */
  async audience(tx: Transaction): Promise<number> {
    const { everyone: known } = await this.#known.in(tx)
    if (known !== null) return known
    const id = await this.unitOfWork.audiences.intern(tx, await this.users.listIds(tx))
    await this.#set(tx, { everyone: id })
    return id
  }

  /**
   * The interned list of all active users except guests: those who may read every public channel.
   *
   * @param known the id that the organization's row holds, if the caller has already read it.
   */
  async memberAudience(tx: Transaction, known?: number | null): Promise<number> {
    const current = known ?? (await this.#known.in(tx)).members
    if (current !== null) return current
    const id = await this.unitOfWork.audiences.intern(tx, await this.users.listMemberIds(tx))
    await this.#set(tx, { members: id })
    return id
  }

  /**
   * Changes both lists, because users have become active or inactive, or have got another role.
   *
   * @param change users who are active now or are not, with their roles of now.
   */
  async change(
    tx: Transaction,
    change: { readonly active?: readonly Person[]; readonly inactive?: readonly Person[] },
  ): Promise<void> {
    const { active = [], inactive = [] } = change
    const { everyone, members } = await this.#known.in(tx)
    const guests = active.filter(isGuest)
    await this.#set(tx, {
      everyone: await this.#derived(tx, everyone, {
        added: idsOf(active),
        removed: idsOf(inactive),
      }),
      members: await this.#derived(tx, members, {
        added: idsOf(active.filter((person) => !isGuest(person))),
        removed: idsOf([...inactive, ...guests]),
      }),
    })
  }

  /**
   * Changes the lists, because a user has got another role.
   *
   * @param user with the role of now.
   */
  async changeRole(
    tx: Transaction,
    user: Person & { readonly is_active: boolean },
    oldRole: Role,
  ): Promise<void> {
    if (isGuest(user) !== isGuest({ role: oldRole }))
      await this.change(tx, { [user.is_active ? 'active' : 'inactive']: [user] })
  }

  async #set(tx: Transaction, ids: Partial<ActiveAudiences>): Promise<void> {
    await this.organizations.setActiveAudiences(tx, ids)
    tx.emit(activeAudiencesChanged({}))
  }

  async #derived(
    tx: Transaction,
    audienceId: number | null,
    change: AudienceChange,
  ): Promise<number | null> {
    return audienceId === null ? null : this.unitOfWork.audiences.derive(tx, audienceId, change)
  }
}

function idsOf(people: readonly Person[]): number[] {
  return people.map(({ id }) => id)
}
