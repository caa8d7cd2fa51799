export { CredentialRepository } from './credential-repository.js'
export { RequestOrganizationResolver } from './organization-resolver.js'
export { RequestAuthenticator } from './request-authenticator.js'
export { SocketTickets } from './socket-tickets.js'
