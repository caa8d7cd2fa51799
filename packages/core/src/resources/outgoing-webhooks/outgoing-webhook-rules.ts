import type { InjectionToken } from 'tsyringe'

/** What an application allows outgoing webhook bots. */
export interface OutgoingWebhookOption {
  /**
   * Names and addresses of hosts, as they stand in the bots' URLs, that may be called although they
   * are on this machine or in a private network: `localhost`, `10.0.0.7`.
   * @default []
   */
  readonly privateHosts?: readonly string[]
}

/** The same with every default filled in. */
export interface OutgoingWebhookRules {
  /** Whether bots are called at all. */
  readonly isOn: boolean
  readonly privateHosts: ReadonlySet<string>
}

export const OutgoingWebhookRulesToken: InjectionToken<OutgoingWebhookRules> =
  Symbol('OutgoingWebhookRules')
