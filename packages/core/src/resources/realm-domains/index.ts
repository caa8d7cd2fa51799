export { EmailDomains, type EmailDomainProblem } from './email-domains.js'
export { realmDomainEvents } from './realm-domain-events.js'
export { realmDomainOperations } from './realm-domain-operations.js'
export { RealmDomainSection } from './realm-domain-snapshot.js'
