import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

// File extensions that are far more common in messages than domains with these endings.
const fileEndings = new Set(['java', 'md', 'mov', 'py', 'zip'])

let known: ReadonlySet<string> | undefined

/** Whether `label` is a top-level domain (IANA's list, lower case) that a bare link may end in. */
export function isTopLevelDomain(label: string): boolean {
  return (known ??= loadDomains()).has(label)
}

function loadDomains(): ReadonlySet<string> {
  const domains: readonly string[] = require('tlds')
  return new Set(domains.filter((domain) => !fileEndings.has(domain)))
}
