import { inject } from 'tsyringe'

import { Quotas } from '../../../domain/quotas.js'
import { hasRole, Role, type Actor } from '../../../domain/users/actor.js'
import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import { UnitOfWork, type OrganizationScope, type Transaction } from '../../../storage/index.js'
import { MessageRenderer } from '../../content/rendering/index.js'
import {
  SharedValues,
  type SharedRows,
  type SharedValue,
} from '../../organization/organizations/index.js'
import { UserAccess } from '../../people/user-access/index.js'
import {
  UserAudience,
  actorOf,
  userChanges,
  userEvents,
  accountChanged,
  UserRepository,
  userUpdated,
  type ProfileData,
  type ProfileValueChange,
  type ProfileValues,
  type UserRow,
} from '../../people/users/index.js'
import { profileFieldsChanged } from './profile-field-events.js'
import { ProfileFieldRepository } from './profile-field-repository.js'
import type { ProfileFieldRow } from './profile-fields-table.js'
import { noSuchField } from './profile-field-service.js'
import { ProfileValueRepository } from './profile-value-repository.js'
import {
  hasMarkdown,
  isEmptyValue,
  namedUserIds,
  storedValue,
  type PickableUser,
} from './profile-value-rules.js'

/** Longer profiles are read for each call, in UTF-16 units of their JSON. */
const maxKeptLength = 2000
/** The values of more users are read for each call that needs those of all. */
const maxKeptProfiles = 200

/** The values of users for the custom profile fields. */
@perServer()
export class StoredProfileValues implements ProfileValues {
  readonly #profiles: SharedRows<ProfileData>
  readonly #everyone: SharedValue<ReadonlyMap<number, ProfileData>>

  constructor(
    @inject(ProfileFieldRepository) private readonly fields: ProfileFieldRepository,
    @inject(ProfileValueRepository) private readonly values: ProfileValueRepository,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(UserAccess) private readonly userAccess: UserAccess,
    @inject(UserAudience) private readonly audience: UserAudience,
    @inject(MessageRenderer) private readonly renderer: MessageRenderer,
    @inject(Quotas) private readonly quotas: Quotas,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(SharedValues) shared: SharedValues,
  ) {
    this.#profiles = shared.defineRows('profiles', {
      load: (scope, userIds) => this.list(scope, userIds),
      changedBy: [...userChanges.all, profileFieldsChanged],
      isSmall: (profile) => JSON.stringify(profile).length <= maxKeptLength,
    })
    this.#everyone = shared.define('all_profiles', {
      load: (scope) => this.list(scope, undefined),
      changedBy: [...userEvents, accountChanged, profileFieldsChanged],
      isSmall: (profiles) => profiles.size <= maxKeptProfiles,
    })
  }

  async known(
    scope: OrganizationScope,
    userIds: readonly number[] | undefined,
  ): Promise<ReadonlyMap<number, ProfileData>> {
    return userIds === undefined ? this.#everyone.in(scope) : this.#profiles.in(scope, userIds)
  }

  async list(
    scope: OrganizationScope,
    userIds: readonly number[] | undefined,
  ): Promise<Map<number, ProfileData>> {
    // Users without values are kept too.
    const profiles = new Map<number, ProfileData>(userIds?.map((id) => [id, {}]))
    for (const { user_id, field_id, value, rendered_value } of await this.values.list(
      scope,
      userIds,
    )) {
      let profile = profiles.get(user_id)
      if (profile === undefined) profiles.set(user_id, (profile = {}))
      profile[field_id] = rendered_value === null ? { value } : { value, rendered_value }
    }
    return profiles
  }

  /**
   * Changes values of `actor`'s own profile.
   *
   * @throws {ChatError} `BAD_REQUEST` if a field or a value is invalid, or the actor may not change
   *   it.
   */
  async changeOwn(actor: Actor, changes: readonly ProfileValueChange[]): Promise<void> {
    await this.unitOfWork.runFor(actor, async (tx) => {
      const user = await this.users.getLocked(tx, actor.userId)
      await this.change(tx, actor, user, changes)
    })
  }

  async change(
    tx: Transaction,
    actor: Actor,
    user: UserRow,
    changes: readonly ProfileValueChange[],
  ): Promise<void> {
    if (changes.length === 0) return
    const fields = new Map((await this.fields.lockShared(tx)).map((field) => [field.id, field]))
    const people = await this.#named(tx, actor, fields, changes)
    const newValues = new Map<number, string | null>()
    for (const { id, value } of changes) {
      const field = fields.get(id)
      if (field === undefined) throw noSuchField(id)
      requireEditable(actor, field)
      newValues.set(id, isEmptyValue(value) ? null : storedValue(field, value, people))
    }
    await this.#store(tx, user, fields, newValues)
  }

  /** Those of the named users whom `actor` can access. */
  async #named(
    tx: Transaction,
    actor: Actor,
    fields: ReadonlyMap<number, ProfileFieldRow>,
    changes: readonly ProfileValueChange[],
  ): Promise<ReadonlyMap<number, PickableUser>> {
    const ids = changes.flatMap(({ id, value }) => {
      const field = fields.get(id)
      return field === undefined ? [] : namedUserIds(field, value)
    })
    if (ids.length === 0) return new Map()
    const found = await this.users.findViewable(tx, [...new Set(ids)])
    const accessible = await this.userAccess.filterAccessible(tx, actor, found)
    return new Map(
      accessible.map(({ id, is_active, is_bot }) => [id, { isActive: is_active, isBot: is_bot }]),
    )
  }

  /** Deletes all values of a user, and sends an event for each. */
  async clear(tx: Transaction, user: UserRow): Promise<void> {
    const fieldIds = (await this.values.list(tx, [user.id])).map(({ field_id }) => field_id)
    if (fieldIds.length === 0) return
    await this.values.delete(tx, user.id, fieldIds)
    await this.#emitChanges(
      tx,
      user,
      fieldIds.map((id) => [id, null] as const),
      [],
    )
  }

  /** Stores the changed values, and sends an event for each field. */
  async #store(
    tx: Transaction,
    user: UserRow,
    fields: ReadonlyMap<number, ProfileFieldRow>,
    newValues: ReadonlyMap<number, string | null>,
  ): Promise<void> {
    const current = new Map(
      (await this.values.list(tx, [user.id])).map(({ field_id, value }) => [field_id, value]),
    )
    const changed = [...newValues].filter(([id, value]) => value !== (current.get(id) ?? null))
    if (changed.length === 0) return
    const removed = changed.filter(([, value]) => value === null).map(([id]) => id)
    const rows: { field_id: number; value: string; rendered_value: string | null }[] = []
    for (const [field_id, value] of changed) {
      if (value === null) continue
      const { type } = present(fields.get(field_id), 'the field of a value')
      const rendered_value = hasMarkdown(type) ? await this.#render(tx, user, value) : null
      rows.push({ field_id, value, rendered_value })
    }
    await this.values.delete(tx, user.id, removed)
    await this.values.replace(tx, user.id, rows)
    if (rows.length > 0) {
      this.quotas.require('profileBytesPerUser', await this.values.bytes(tx, user.id))
    }
    if (tx.caller?.userId !== user.id) {
      tx.audit({ action: 'user.profile_changed', objectId: user.id })
    }
    await this.#emitChanges(tx, user, changed, rows)
  }

  async #render(tx: Transaction, user: UserRow, text: string): Promise<string> {
    const { html } = await this.renderer.render(tx, actorOf(user), text, { isDescription: true })
    return html
  }

  async #emitChanges(
    tx: Transaction,
    user: UserRow,
    changed: readonly (readonly [number, string | null])[],
    rows: readonly { field_id: number; rendered_value: string | null }[],
  ): Promise<void> {
    const audience = await this.audience.of(tx, user)
    for (const [id, value] of changed) {
      const html = rows.find(({ field_id }) => field_id === id)?.rendered_value
      const rendered = html ? { rendered_value: html } : {}
      const custom_profile_field = { id, value, ...rendered }
      tx.emit(userUpdated(audience, { person: { user_id: user.id, custom_profile_field } }))
    }
  }
}

function requireEditable(actor: Actor, field: ProfileFieldRow): void {
  if (field.is_editable_by_user || hasRole(actor, Role.administrator)) return
  throw badRequest('PROFILE_FIELD_NOT_EDITABLE')
}
