import type { IdentifyInOrganization, ResolveOrganization } from '../http/pipeline/host-identity.js'
import type { AllServerOptions } from './options.js'

/** Options of a server with one organization. */
export interface OneOrganizationOptions extends Omit<AllServerOptions, 'resolveOrganization'> {
  readonly resolveOrganization?: undefined
}

/** Options of a server with several organizations. */
export interface SeveralOrganizationsOptions extends AllServerOptions {
  readonly resolveOrganization: ResolveOrganization
  /** As above; its result includes the `organization` of the user. */
  readonly identify?: IdentifyInOrganization
}

/** The options of a chat server. */
export type ChatServerOptions = OneOrganizationOptions | SeveralOrganizationsOptions
