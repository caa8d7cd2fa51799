import { inject } from 'tsyringe'

import {
  changesBetween,
  createdValues,
  deletedValues,
} from '../../../domain/organizations/audit-actions.js'
import { Quotas } from '../../../domain/quotas.js'
import type { Actor } from '../../../domain/users/actor.js'
import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import {
  Database,
  UnitOfWork,
  type OrganizationScope,
  type Transaction,
} from '../../../storage/index.js'
import { SharedValues, type SharedValue } from '../../organization/organizations/index.js'
import { UserService } from '../../people/users/index.js'
import {
  profileFieldsChanged,
  profileFieldTypes,
  type ProfileField,
} from './profile-field-events.js'
import { ProfileFieldRepository, type ProfileFieldColumns } from './profile-field-repository.js'
import { profileFields, type ProfileFieldRow, profileValues } from './profile-fields-table.js'
import {
  builtInAccount,
  choicesOf,
  parseFieldData,
  profileFieldRow,
  type ProfileFieldDescription,
} from './profile-field-rules.js'
import { ProfileValueRepository } from './profile-value-repository.js'

/** Changes of a field; absent properties stay. */
export type ProfileFieldChanges = {
  readonly [Key in Exclude<keyof ProfileFieldDescription, 'type'>]?:
    | ProfileFieldDescription[Key]
    | undefined
}

/** Manages the custom profile fields of an organization. */
@perServer()
export class ProfileFieldService {
  readonly #fieldList: SharedValue<ProfileField[]>

  constructor(
    @inject(Database) private readonly database: Database,
    @inject(ProfileFieldRepository) private readonly fields: ProfileFieldRepository,
    @inject(ProfileValueRepository) private readonly values: ProfileValueRepository,
    @inject(UserService) private readonly users: UserService,
    @inject(Quotas) private readonly quotas: Quotas,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(SharedValues) shared: SharedValues,
  ) {
    this.#fieldList = shared.define('profile_fields', {
      load: async (scope) =>
        (await scope.rows(profileFields).list({}, 'position', 'id')).map(profileField),
      changedBy: [profileFieldsChanged],
    })
  }

  /** All fields in display order. */
  list(scope: OrganizationScope): Promise<ProfileField[]> {
    return this.#fieldList.in(scope)
  }

  async listFor(actor: Actor): Promise<ProfileField[]> {
    return this.list(this.database.read(actor.organizationId))
  }

  /**
   * @param actor an administrator.
   * @returns the new field's id.
   * @throws {ChatError} `BAD_REQUEST` if the description is invalid, or its name is in use.
   */
  async create(actor: Actor, description: ProfileFieldDescription): Promise<number> {
    return this.unitOfWork.runFor(actor, async (tx) => {
      const all = await this.fields.lock(tx)
      const row = profileFieldRow(description, all)
      this.#requireFewChoices(row)
      this.quotas.require('profileFieldsPerOrganization', all.length + 1)
      const id = await this.fields.insert(tx, row)
      const changes = createdValues({ type: row.type, ...auditedValues(row) })
      tx.audit({ action: 'profile_field.created', objectId: id, changes })
      await this.#announce(tx)
      return id
    })
  }

  /**
   * Changes a field. Values that are no longer a valid option are removed.
   *
   * @param actor an administrator.
   * @throws {ChatError} `BAD_REQUEST` if there is no such field, or a change is invalid.
   */
  async update(actor: Actor, id: number, changes: ProfileFieldChanges): Promise<void> {
    await this.unitOfWork.runFor(actor, async (tx) => {
      const all = await this.fields.lock(tx)
      const field = requireField(all, id)
      const others = all.filter((other) => other.id !== id)
      const row = profileFieldRow({ ...descriptionOf(field), ...withoutAbsent(changes) }, others)
      if (builtInAccount(field.type, field.field_data)) requireSameQuestion(field, row, changes)
      if (!differs(field, row)) return
      this.#requireFewChoices(row)
      await tx.rows(profileFields).update({ id }, row)
      tx.audit({
        action: 'profile_field.updated',
        objectId: id,
        changes: changesBetween(auditedValues(field), auditedValues(row)),
      })
      if (row.type === profileFieldTypes.SELECT.id && row.field_data !== field.field_data) {
        await this.values.deleteOthersThan(tx, id, choicesOf(row.field_data))
      }
      await this.#announce(tx)
    })
  }

  /**
   * Deletes a field and all users' values.
   *
   * @param actor an administrator.
   * @throws {ChatError} `BAD_REQUEST` if there is no such field.
   */
  async remove(actor: Actor, id: number): Promise<void> {
    await this.unitOfWork.runFor(actor, async (tx) => {
      const field = requireField(await this.fields.lock(tx), id)
      await tx.rows(profileValues).delete({ field_id: id })
      await tx.rows(profileFields).delete({ id })
      const values = deletedValues({ type: field.type, ...auditedValues(field) })
      tx.audit({ action: 'profile_field.deleted', objectId: id, changes: values })
      await this.#announce(tx)
    })
  }

  /**
   * @param actor an administrator.
   * @param ids all fields in their new order; unknown ids are ignored.
   * @throws {ChatError} `BAD_REQUEST` if a field is missing.
   */
  async reorder(actor: Actor, ids: readonly number[]): Promise<void> {
    await this.unitOfWork.runFor(actor, async (tx) => {
      const existing = new Set((await this.fields.lock(tx)).map(({ id }) => id))
      const newOrder = [...new Set(ids)].filter((id) => existing.has(id))
      if (newOrder.length < existing.size) throw badRequest('PROFILE_FIELD_ORDER_INVALID')
      await tx.rows(profileFields).reorder(newOrder)
      tx.audit({ action: 'profile_field.reordered' })
      await this.#announce(tx)
    })
  }

  #requireFewChoices({ type, field_data }: ProfileFieldColumns): void {
    if (type !== profileFieldTypes.SELECT.id) return
    this.quotas.require('choicesPerProfileField', choicesOf(field_data).length)
  }

  async #announce(tx: Transaction): Promise<void> {
    const audienceId = await this.users.activeAudience(tx)
    tx.emit(profileFieldsChanged({ audienceId }, { fields: await this.list(tx) }))
  }
}

/** The error for a field that does not exist in the organization. */
export function noSuchField(id: number): Error {
  return badRequest('PROFILE_FIELD_UNKNOWN', { fieldId: id })
}

function requireField(fields: readonly ProfileFieldRow[], id: number): ProfileFieldRow {
  const field = fields.find((one) => one.id === id)
  if (field === undefined) throw noSuchField(id)
  return field
}

/** Only the flags of a built-in external account may change. */
function requireSameQuestion(
  field: ProfileFieldRow,
  row: ProfileFieldColumns,
  { name = field.name, hint = field.hint }: ProfileFieldChanges,
): void {
  if (name === field.name && hint === field.hint && row.field_data === field.field_data) return
  throw badRequest('PROFILE_FIELD_BUILT_IN')
}

function auditedValues(field: ProfileFieldColumns) {
  const { name, hint, field_data, is_in_summary, is_required, is_editable_by_user } = field
  return { name, hint, field_data, is_in_summary, is_required, is_editable_by_user }
}

function descriptionOf(field: ProfileFieldRow): ProfileFieldDescription {
  return {
    type: field.type,
    name: field.name,
    hint: field.hint,
    fieldData: parseFieldData(field.field_data),
    isInSummary: field.is_in_summary,
    isRequired: field.is_required,
    isEditableByUser: field.is_editable_by_user,
  }
}

function withoutAbsent(changes: ProfileFieldChanges): Partial<ProfileFieldDescription> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
}

function differs(field: ProfileFieldRow, row: ProfileFieldColumns): boolean {
  const { name, hint, field_data } = row
  if (name !== field.name || hint !== field.hint || field_data !== field.field_data) return true
  const flags = ['is_in_summary', 'is_required', 'is_editable_by_user'] as const
  return flags.some((flag) => row[flag] !== field[flag])
}

function profileField(row: ProfileFieldRow): ProfileField {
  return {
    id: row.id,
    type: row.type,
    order: row.position,
    name: row.name,
    hint: row.hint,
    field_data: row.field_data,
    ...(row.is_in_summary ? { display_in_profile_summary: true as const } : {}),
    required: row.is_required,
    editable_by_user: row.is_editable_by_user,
  }
}
