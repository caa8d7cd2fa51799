import type { HostCase } from '../host.js'
import { owners, unused, type Examples } from './example.js'

const added = () => ({ domain: `${unused('d')}.example`, allow_subdomains: false })
/** Adds a domain. @returns its path. */
async function someDomain({ people }: HostCase): Promise<string> {
  const params = added()
  await people.olga.post('/realm/domains', params)
  return `/realm/domains/${params.domain}`
}

export const organization: Examples = {
  'get-realm-domains': { call: (_, by) => by.get('/realm/domains') },
  'create-realm-domain': {
    call: (_, by) => by.post('/realm/domains', added()),
    refused: owners,
    audited: ['domain.added'],
  },
  'patch-realm-domain': {
    call: async (at, by) => by.patch(await someDomain(at), { allow_subdomains: true }),
    refused: owners,
    audited: ['domain.updated'],
  },
  'delete-realm-domain': {
    call: async (at, by) => by.delete(await someDomain(at)),
    refused: owners,
    audited: ['domain.removed'],
  },
}
