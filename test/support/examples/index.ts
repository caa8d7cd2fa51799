import { access } from './access.js'
import { accounts } from './accounts.js'
import { administration } from './administration.js'
import { channels } from './channels.js'
import { contents } from './content.js'
import { files } from './files.js'
import { groups } from './groups.js'
import { messages } from './messages.js'
import { notifications } from './notifications.js'
import { organization } from './organization.js'
import { personal } from './personal.js'
import { realtime } from './realtime.js'
import type { Examples } from './example.js'

/** The examples of all operations; the last ones end an account or its access. */
export const examples: Examples = {
  ...organization,
  ...realtime,
  ...groups,
  ...channels,
  ...files,
  ...contents,
  ...messages,
  ...notifications,
  ...personal,
  ...administration,
  ...accounts,
  ...access,
}

/**
 * Why other operations have no example, why their statements cannot grow, and where the case of the
 * audit trail is if they add to it.
 */
export const withoutExample: Readonly<Record<string, string>> = {
  'confirm-email-change': 'needs a key from a mail; changes one account',
  'create-big-blue-button-video-call': 'needs a server of meetings; reads nothing',
  'deactivate-realm': 'leaves nothing to call; embedding/audit-of-all-operations.test.ts calls it',
  'delete-realm-export': 'needs an archive; conformance/data-exports.test.ts has the audit case',
  'dev-fetch-api-key': 'exists only in development; reads one account',
  'dev-list-users': 'exists only in development; one list',
  'e2ee-test-notify': "needs a relay; notifies one user's devices",
  'fetch-api-key':
    'needs a password (counted-calls.ts); conformance/audit-log.test.ts has the case',
  'get-emoji-data': 'reads nothing',
  'get-emoji-image': 'reads one image',
  'join-big-blue-button-video-call': 'needs a server of meetings; reads one account',
  'read-avatar': 'reads one account and one file',
  'read-default-avatar': 'reads nothing',
  'read-external-content': 'reads nothing',
  'read-file': 'reads one file',
  'read-realm-export': 'reads one file',
  'read-realm-image': 'reads one file',
  'read-temporary-file': 'reads one file',
  'read-thumbnail': 'reads one file',
  'register-push-device': 'needs a relay; changes one device',
  'resend-email-invite': 'sends mails, as send-invites does; changes one invitation',
  'revoke-email-invite': 'needs an invitation by mail; is revoke-invite-link otherwise',
  'send-invites':
    'sends mails; inserts all rows at once; conformance/invitations-send.test.ts has the audit case',
  'send-json-webhook-message': 'needs a webhook bot; sends one message, as send-message does',
  'send-slack-webhook-message': 'needs a webhook bot; sends one message, as send-message does',
  'show-email-change': 'reads one account',
  'show-join-page': 'reads one invitation',
  'show-mail-unsubscription': 'reads one account',
  'sign-on': "needs the application's login; conformance/single-sign-on.test.ts has the audit case",
  'submit-join-page': 'needs an invitation; creates one account, as create-user does',
  'test-notify': "needs a relay; notifies one user's devices",
  'unsubscribe-from-mails': 'needs a token from a mail; changes one account',
}
