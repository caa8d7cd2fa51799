import { badRequest } from '../../../errors/index.js'

const maxLength = 255

/**
 * The canonical form in which a domain is stored.
 *
 * @throws {ChatError} `BAD_REQUEST` if it cannot be the domain of an email address.
 */
export function normalizeDomain(text: string): string {
  const domain = text.trim().toLowerCase()
  const problem = problemOf(domain)
  if (problem !== undefined) throw badRequest(`Invalid domain: ${problem}`)
  return domain
}

function problemOf(domain: string): string | undefined {
  if (domain === '') return "Domain can't be empty."
  if (!domain.includes('.')) return 'Domain must have at least one dot (.)'
  if (domain.length > maxLength) return 'Domain is too long'
  if (domain.startsWith('.') || domain.endsWith('.')) {
    return 'Domain cannot start or end with a dot (.)'
  }
  for (const label of domain.split('.')) {
    if (label === '') return "Consecutive '.' are not allowed."
    if (label.startsWith('-') || label.endsWith('-')) {
      return "Subdomains cannot start or end with a '-'."
    }
    if (!/^[a-z0-9-]+$/.test(label)) return "Domain can only have letters, numbers, '.' and '-'s."
  }
  return undefined
}

/** A domain and all of its parent domains. */
export function domainWithParents(domain: string): readonly string[] {
  const labels = domain.split('.')
  return labels.map((_, index) => labels.slice(index).join('.'))
}
