import type {
  Identify,
  IdentifyInOrganization,
  ResolveOrganization,
} from '../http/pipeline/host-identity.js'
import type { KnexClient } from '../storage/index.js'
import type { AllServerOptions } from './options.js'

type OrUndefined<Options> = { readonly [Name in keyof Options]: Options[Name] | undefined }

/** The options but the hooks that differ; undefined is as good as nothing, also where types are exact. */
interface CommonOptions<Client>
  extends
    Pick<AllServerOptions<Client>, 'database'>,
    OrUndefined<Omit<AllServerOptions, 'database' | 'identify' | 'resolveOrganization'>> {}

/** Options of a server with one organization. */
export interface OneOrganizationOptions<Client = KnexClient> extends CommonOptions<Client> {
  readonly identify?: Identify | undefined
  readonly resolveOrganization?: undefined
}

/** Options of a server with several organizations, or of one that may have several. */
export interface SeveralOrganizationsOptions<Client = KnexClient> extends CommonOptions<Client> {
  readonly resolveOrganization?: ResolveOrganization | undefined
  /** As above; its result includes the `organization` of the user. */
  readonly identify?: IdentifyInOrganization | undefined
}

/** The options of a chat server. `Client` is the type of `database.client`. */
export type ChatServerOptions<Client = KnexClient> =
  | OneOrganizationOptions<Client>
  | SeveralOrganizationsOptions<Client>
