import type { UserRow } from './users-table.js'

/** Receives no mail (RFC 2606). */
const erasedDomain = 'erased.invalid'

/** The data that is left of an account whose user was erased. */
export interface ErasedAccount {
  readonly full_name: string
  readonly email: string
}

/**
 * The name and the address of an erased account.
 *
 * @param suffix makes the address unique, if another account has it.
 */
export function erasedAccount(userId: number, suffix = ''): ErasedAccount {
  return {
    full_name: `Deleted user ${userId}`,
    email: `deleteduser${userId}${suffix}@${erasedDomain}`,
  }
}

/** Stored in place of the hash of an API key, which no key has. */
export function erasedKeyHash(userId: number): string {
  return `erased:${userId}`
}

/** Whether the account's user was erased; such an account is never active again. */
export function isErased({ id, api_key_hash }: Pick<UserRow, 'id' | 'api_key_hash'>): boolean {
  return api_key_hash === erasedKeyHash(id)
}
