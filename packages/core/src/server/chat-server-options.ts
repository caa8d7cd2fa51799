import type {
  Identify,
  IdentifyInOrganization,
  ResolveOrganization,
} from '../http/pipeline/host-identity.js'
import type { AllServerOptions } from './options.js'

type OrUndefined<Options> = { readonly [Name in keyof Options]: Options[Name] | undefined }

/** The options but the hooks that differ; undefined is as good as nothing, also where types are exact. */
interface CommonOptions
  extends
    Pick<AllServerOptions, 'database'>,
    OrUndefined<Omit<AllServerOptions, 'database' | 'identify' | 'resolveOrganization'>> {}

/** Options of a server with one organization. */
export interface OneOrganizationOptions extends CommonOptions {
  readonly identify?: Identify | undefined
  readonly resolveOrganization?: undefined
}

/** Options of a server with several organizations, or of one that may have several. */
export interface SeveralOrganizationsOptions extends CommonOptions {
  readonly resolveOrganization?: ResolveOrganization | undefined
  /** As above; its result includes the `organization` of the user. */
  readonly identify?: IdentifyInOrganization | undefined
}

/** The options of a chat server. */
export type ChatServerOptions = OneOrganizationOptions | SeveralOrganizationsOptions
