import { badRequest, namedText, type NamedText } from '../../../errors/index.js'
import { realmDomains } from './realm-domains-table.js'

/**
 * The canonical form in which a domain is stored.
 *
 * @throws {ChatError} `BAD_REQUEST` if it cannot be the domain of an email address.
 */
export function normalizeDomain(text: string): string {
  const domain = text.trim().toLowerCase()
  const problem = problemOf(domain)
  if (problem !== undefined) throw badRequest('DOMAIN_INVALID', { problem })
  return domain
}

function problemOf(domain: string): NamedText | undefined {
  if (domain === '') return namedText('DOMAIN_EMPTY')
  if (!domain.includes('.')) return namedText('DOMAIN_WITHOUT_DOT')
  if (domain.length > realmDomains.columns.domain.maxLength) return namedText('DOMAIN_TOO_LONG')
  if (domain.startsWith('.') || domain.endsWith('.')) {
    return namedText('DOMAIN_WRONG_DOT')
  }
  for (const label of domain.split('.')) {
    if (label === '') return namedText('DOMAIN_TWO_DOTS')
    if (label.startsWith('-') || label.endsWith('-')) {
      return namedText('DOMAIN_WRONG_HYPHEN')
    }
    if (!/^[a-z0-9-]+$/.test(label)) return namedText('DOMAIN_WRONG_CHARACTERS')
  }
  return undefined
}

/** A domain and all of its parent domains. */
export function domainWithParents(domain: string): readonly string[] {
  const labels = domain.split('.')
  return labels.map((_, index) => labels.slice(index).join('.'))
}
