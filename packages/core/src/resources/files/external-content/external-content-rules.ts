import type { InjectionToken } from 'tsyringe'

/** Options of the proxy for pictures, sounds and videos of other hosts. */
export interface ExternalContentOption {
  /**
   * Names and addresses of hosts, as messages contain them, from which content may be loaded
   * although they are on this machine or in a private network: `localhost`, `10.0.0.7`. All their
   * ports are allowed.
   *
   * @default []
   */
  readonly privateHosts?: readonly string[]
}

/** The options with every default filled in. */
export interface ExternalContentRules {
  /** Whether content of other hosts is shown at all. */
  readonly isOn: boolean
  readonly privateHosts: ReadonlySet<string>
}

export const ExternalContentRulesToken: InjectionToken<ExternalContentRules> =
  Symbol('ExternalContentRules')
