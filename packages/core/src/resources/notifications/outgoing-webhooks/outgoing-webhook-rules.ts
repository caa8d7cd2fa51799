import type { InjectionToken } from 'tsyringe'

/** The application's options for outgoing webhook bots. */
export interface OutgoingWebhookOption {
  /**
   * Host names and addresses, as they appear in the bots' URLs, that may be called although they
   * are on this machine or in a private network: `localhost`, `10.0.0.7`.
   *
   * @default []
   */
  readonly privateHosts?: readonly string[]
}

/** The same with all defaults applied. */
export interface OutgoingWebhookRules {
  /** Whether outgoing webhooks are enabled. */
  readonly isOn: boolean
  readonly privateHosts: ReadonlySet<string>
}

export const OutgoingWebhookRulesToken: InjectionToken<OutgoingWebhookRules> =
  Symbol('OutgoingWebhookRules')
