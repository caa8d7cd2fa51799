import tlds from 'tlds' with { type: 'json' }

// File extensions that are far more common in messages than domains with these endings.
const fileEndings = new Set(['java', 'md', 'mov', 'py', 'zip'])

const known: ReadonlySet<string> = new Set(tlds.filter((domain) => !fileEndings.has(domain)))

/** Whether `label` is a top-level domain (IANA's list, lower case) that a bare link may end in. */
export function isTopLevelDomain(label: string): boolean {
  return known.has(label)
}
