import type { DependencyContainer } from 'tsyringe'

import { Quotas } from '../domain/quotas.js'
import { HostHooksToken } from '../http/pipeline/host-identity.js'
import { ServerFactsToken } from '../kernel/server-facts.js'
import {
  PasswordAuthenticatorsToken,
  SecondFactorToken,
} from '../resources/access/authentication/index.js'
import { SignOnToken } from '../resources/access/single-sign-on/index.js'
import { MailSenderToken } from '../resources/accounts/email-changes/index.js'
import { InvitationsOptionToken } from '../resources/accounts/invitations/index.js'
import { BigBlueButtonToken } from '../resources/administration/video-calls/index.js'
import { ExternalContentRulesToken } from '../resources/files/external-content/index.js'
import { DatabaseStorage, FileStorageToken } from '../resources/files/file-storage/index.js'
import { NotificationMailRulesToken } from '../resources/notifications/mails/index.js'
import { OutgoingWebhookRulesToken } from '../resources/notifications/outgoing-webhooks/index.js'
import { PushRelayToken } from '../resources/notifications/push-relay/index.js'
import { WebhooksToken } from '../resources/realtime/webhooks/index.js'
import type { ResolvedOptions } from './resolved-options.js'

/** Registers the application's options, and defaults for those that are not set. */
export function registerOptions(
  container: DependencyContainer,
  resolved: ResolvedOptions,
  disabledOperations: ReadonlySet<string>,
): void {
  container.register(HostHooksToken, { useValue: resolved.hostHooks })
  container.register(ServerFactsToken, { useValue: { ...resolved.facts, disabledOperations } })
  if (resolved.files === undefined) {
    container.register(FileStorageToken, { useToken: DatabaseStorage })
  } else container.register(FileStorageToken, { useValue: resolved.files })
  container.register(Quotas, { useValue: new Quotas(resolved.quotas) })
  container.register(MailSenderToken, { useValue: { sender: resolved.mail } })
  container.register(InvitationsOptionToken, { useValue: resolved.invitations })
  container.register(NotificationMailRulesToken, { useValue: resolved.notificationMails })
  container.register(OutgoingWebhookRulesToken, { useValue: resolved.outgoingWebhooks })
  container.register(WebhooksToken, { useValue: resolved.webhooks })
  container.register(ExternalContentRulesToken, { useValue: resolved.externalContent })
  container.register(BigBlueButtonToken, { useValue: { server: resolved.bigBlueButton } })
  container.register(SignOnToken, { useValue: { signOn: resolved.signOn } })
  container.register(SecondFactorToken, { useValue: { secondFactor: resolved.secondFactor } })
  container.register(PushRelayToken, { useValue: { relay: resolved.pushRelay } })
  container.register(PasswordAuthenticatorsToken, { useValue: resolved.passwordAuthenticators })
}
