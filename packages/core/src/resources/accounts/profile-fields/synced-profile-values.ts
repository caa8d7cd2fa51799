import { inject } from 'tsyringe'

import { applicationActor } from '../../../domain/users/actor.js'
import { ChatError } from '../../../errors/index.js'
import { addTo } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'
import { MessageRenderer } from '../../content/rendering/index.js'
import {
  UserAudience,
  UserRepository,
  userUpdated,
  type StartedSyncPart,
  type SyncDifferences,
  type SyncedAccount,
  type SyncEntry,
  type SyncPart,
  type SyncProblem,
} from '../../people/users/index.js'
import { ProfileFieldRepository } from './profile-field-repository.js'
import { profileFields, type ProfileFieldRow, profileValues } from './profile-fields-table.js'
import { ProfileValueRepository, type ProfileValue } from './profile-value-repository.js'
import {
  hasMarkdown,
  isEmptyValue,
  namedUserIds,
  storedValue,
  type PickableUser,
} from './profile-value-rules.js'

/** A value that differs from the stored one; null to remove it. */
interface NewValue {
  readonly userId: number
  readonly field: ProfileFieldRow
  readonly value: string | null
}

interface Comparison extends SyncDifferences {
  readonly values: readonly NewValue[]
}

/** Sets custom profile values of the application's users, in a constant number of statements. */
@perServer()
export class SyncedProfileValues implements SyncPart, StartedSyncPart {
  constructor(
    @inject(ProfileFieldRepository) private readonly fields: ProfileFieldRepository,
    @inject(ProfileValueRepository) private readonly values: ProfileValueRepository,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(UserAudience) private readonly audience: UserAudience,
    @inject(MessageRenderer) private readonly renderer: MessageRenderer,
  ) {}

  async start(
    _organizationId: number,
    entries: readonly SyncEntry[],
  ): Promise<StartedSyncPart | undefined> {
    return entries.some(({ profile }) => profile !== undefined) ? this : undefined
  }

  async compare(
    scope: OrganizationScope,
    accounts: readonly SyncedAccount[],
  ): Promise<SyncDifferences> {
    return this.#compare(
      scope,
      accounts,
      await scope.rows(profileFields).list({}, 'position', 'id'),
    )
  }

  async apply(tx: Transaction, accounts: readonly SyncedAccount[]): Promise<SyncDifferences> {
    const compared = await this.#compare(tx, accounts, await this.fields.lockShared(tx))
    if (compared.values.length > 0) await this.#store(tx, compared.values)
    return compared
  }

  async #compare(
    scope: OrganizationScope,
    accounts: readonly SyncedAccount[],
    fields: readonly ProfileFieldRow[],
  ): Promise<Comparison> {
    const described = accounts.filter(({ entry }) => entry.profile !== undefined)
    const people = await this.#named(scope, described, fields)
    const current = new Map<string, string>()
    const userIds = described.map(({ id }) => id)
    for (const row of userIds.length === 0 ? [] : await this.values.list(scope, userIds)) {
      current.set(keyOf(row.user_id, row.field_id), row.value)
    }
    const problems: SyncProblem[] = []
    const values: NewValue[] = []
    for (const { id: userId, entry } of described) {
      const { externalId } = entry.identity
      for (const [key, given] of Object.entries(entry.profile ?? {})) {
        const field = findField(fields, key)
        const value = field === undefined ? undefined : checkedValue(field, given, people)
        if (field === undefined) {
          problems.push({ externalId, message: `profile: there is no field '${key}'` })
        } else if (value === undefined) {
          problems.push({
            externalId,
            message: `profile: not a value of the field '${field.name}'`,
          })
        } else if (value !== (current.get(keyOf(userId, field.id)) ?? null)) {
          values.push({ userId, field, value })
        }
      }
    }
    return { values, problems, changedIds: new Set(values.map(({ userId }) => userId)) }
  }

  /** The users whom values of fields of users name. */
  async #named(
    scope: OrganizationScope,
    accounts: readonly SyncedAccount[],
    fields: readonly ProfileFieldRow[],
  ): Promise<ReadonlyMap<number, PickableUser>> {
    const ids = accounts.flatMap(({ entry }) =>
      Object.entries(entry.profile ?? {}).flatMap(([key, value]) => {
        const field = findField(fields, key)
        return field === undefined ? [] : namedUserIds(field, value)
      }),
    )
    const found = await this.users.findViewable(scope, [...new Set(ids)])
    return new Map(
      found.map(({ id, is_active, is_bot }) => [id, { isActive: is_active, isBot: is_bot }]),
    )
  }

  async #store(tx: Transaction, values: readonly NewValue[]): Promise<void> {
    const htmlOf = await this.#rendered(tx, values)
    const usersByField = new Map<number, number[]>()
    for (const { field, userId } of values) addTo(usersByField, field.id, userId)
    for (const [fieldId, userIds] of usersByField) {
      await tx.rows(profileValues).delete({ field_id: fieldId, user_id: userIds })
    }
    const rows = values.flatMap(({ userId, field, value }): ProfileValue[] => {
      if (value === null) return []
      const rendered_value = hasMarkdown(field.type) ? (htmlOf.get(value) ?? null) : null
      return [{ user_id: userId, field_id: field.id, value, rendered_value }]
    })
    await tx.rows(profileValues).insertMany(rows)
    const html = new Map(rows.map((row) => [keyOf(row.user_id, row.field_id), row.rendered_value]))
    const userIds = [...new Set(values.map((one) => one.userId))]
    for (const objectId of userIds) tx.audit({ action: 'user.profile_changed', objectId })
    const audiences = await this.audience.ofAll(tx, userIds)
    for (const { userId, field, value } of values) {
      const rendered_value = html.get(keyOf(userId, field.id)) ?? ''
      const custom_profile_field = {
        id: field.id,
        value,
        ...(rendered_value !== '' && { rendered_value }),
      }
      const audience = present(audiences.get(userId), 'the audience of each user')
      tx.emit(userUpdated(audience, { person: { user_id: userId, custom_profile_field } }))
    }
  }

  /** The HTML of the values with Markdown, each text rendered once. */
  async #rendered(
    tx: Transaction,
    values: readonly NewValue[],
  ): Promise<ReadonlyMap<string, string>> {
    const texts = new Set<string>()
    for (const { field, value } of values) {
      if (value !== null && hasMarkdown(field.type)) texts.add(value)
    }
    if (texts.size === 0) return new Map()
    const author = applicationActor(tx.organizationId)
    const list = [...texts]
    const rendered = await this.renderer.renderAll(tx, author, list, { isDescription: true })
    return new Map(list.map((text, index) => [text, rendered[index]?.html ?? '']))
  }
}

function keyOf(userId: number, fieldId: number): string {
  return `${userId}/${fieldId}`
}

/** The field with this name, or with this id. */
function findField(fields: readonly ProfileFieldRow[], key: string): ProfileFieldRow | undefined {
  return fields.find(({ name }) => name === key) ?? fields.find(({ id }) => String(id) === key)
}

/** @returns the text to store, null for none; undefined if the value is invalid. */
function checkedValue(
  field: ProfileFieldRow,
  value: unknown,
  people: ReadonlyMap<number, PickableUser>,
): string | null | undefined {
  try {
    return isEmptyValue(value) ? null : storedValue(field, value, people)
  } catch (error) {
    if (error instanceof ChatError) return undefined
    throw error
  }
}
