import { createRequire } from 'node:module'

import type { disposableEmailBlocklistSet } from 'disposable-email-domains-js'

const require = createRequire(import.meta.url)

interface Library {
  readonly disposableEmailBlocklistSet: typeof disposableEmailBlocklistSet
}

let domains: ReadonlySet<string> | undefined

/**
 * Whether a domain, or a parent domain of it, is known to provide disposable addresses, which
 * anyone can read and which soon expire.
 */
export function isDisposableDomain(domain: string): boolean {
  const known = (domains ??= loadDomains())
  const labels = domain.toLowerCase().split('.')
  return labels.some((_, index) => known.has(labels.slice(index).join('.')))
}

/** Loaded on first use: few organizations refuse such addresses. */
function loadDomains(): ReadonlySet<string> {
  const library: Library = require('disposable-email-domains-js')
  return library.disposableEmailBlocklistSet()
}
