import { createHash } from 'node:crypto'

import { addressGroup } from './client-address.js'

declare const mark: unique symbol

/** A text that a function of this module has made. */
export type MadeKey = string & { readonly [mark]: true }

/** The key that a limit counts by: an id, or a text that cannot be varied to escape the limit. */
export type LimitKey = number | MadeKey

/** Key of the client at an address, whatever addresses of its network it uses. */
export function addressKey(remoteAddress: string): MadeKey {
  return made(addressGroup(remoteAddress))
}

/**
 * Key of texts that clients choose: the same for all spellings that directories and databases may
 * take for one name. A hash, because keys are kept in memory, and texts may be long.
 */
export function textKey(...texts: readonly string[]): MadeKey {
  const text = JSON.stringify(texts.map(spelledAlike))
  return made(createHash('sha256').update(text).digest('hex'))
}

/** Key of an operation, or of another part that the server itself names, for one client. */
export function keyWithin(part: string, client: LimitKey): MadeKey {
  return made(`${part}/${client}`)
}

function made(key: string): MadeKey {
  // The mark exists in types only.
  return key as MadeKey
}

/**
 * Without differences of case, of compatible characters (NFKC) and of white space, and without
 * invisible characters, as the preparation of texts for comparison in LDAP (RFC 4518) does.
 */
function spelledAlike(text: string): string {
  return (
    text
      .normalize('NFKC')
      .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
      // In this order: one letter may have several small forms, such as those of the Greek sigma.
      .toUpperCase()
      .toLowerCase()
      .normalize('NFKC')
      .replaceAll(/\s+/g, ' ')
      .trim()
  )
}
