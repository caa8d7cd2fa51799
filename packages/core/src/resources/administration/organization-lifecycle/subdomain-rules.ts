import { badRequest } from '../../../errors/index.js'

/** Host names that belong to the product itself. */
const reserved: ReadonlySet<string> = new Set([
  'admin',
  'api',
  'auth',
  'help',
  'mail',
  'static',
  'status',
  'support',
  'www',
])

/**
 * @param subdomain empty for the organization at the server's own host.
 * @throws {ChatError} `BAD_REQUEST` if the subdomain is not allowed.
 */
export function requireSubdomain(subdomain: string): void {
  if (subdomain === '') return
  if (subdomain.length < 3) throw badRequest('SUBDOMAIN_TOO_SHORT')
  if (subdomain.startsWith('-') || subdomain.endsWith('-')) {
    throw badRequest('SUBDOMAIN_WRONG_HYPHEN')
  }
  if (!/^[a-z0-9-]{1,100}$/.test(subdomain)) {
    throw badRequest('SUBDOMAIN_WRONG_CHARACTERS')
  }
  if (reserved.has(subdomain)) {
    throw badRequest('SUBDOMAIN_RESERVED')
  }
}
