/** The wire format of one kind of error. */
export interface ErrorKind<Fields extends object = Record<never, never>> {
  /** HTTP status. */
  readonly status: number
  /** The `code` on the wire, if it differs from the name of the kind. */
  readonly code?: string
  /** The default `msg`; for a kind without one, the code that throws provides the text. */
  message?(fields: Fields): string
  /** Response headers of the error. */
  headers?(fields: Fields): Record<string, string>
  /** Carries the type of the additional fields; never read. */
  readonly fields?: Fields
}

function kind<Fields extends object = Record<never, never>>(
  status: number,
  message?: string | ((fields: Fields) => string),
  more: Pick<ErrorKind<Fields>, 'code' | 'headers'> = {},
): ErrorKind<Fields> {
  if (message === undefined) return { status, ...more }
  return { status, message: typeof message === 'string' ? () => message : message, ...more }
}

const basicChallenge = { headers: () => ({ 'WWW-Authenticate': 'Basic realm="zulip"' }) }

/**
 * Every error that a client may receive: status, default text and additional fields, in one place.
 * Code that throws an error never chooses its status.
 */
export const errorKinds = {
  BAD_REQUEST: kind(400),
  /** An unknown object on the endpoints that answer 404 for it; the code stays `BAD_REQUEST`. */
  OBJECT_NOT_FOUND: kind(404, undefined, { code: 'BAD_REQUEST' }),
  /** A path under the API's prefix that is not an endpoint. */
  ROUTE_NOT_FOUND: kind(404, 'Not Found', { code: 'BAD_REQUEST' }),
  METHOD_NOT_ALLOWED: kind<{ allowed_methods: string[] }>(405, 'Method Not Allowed', {
    headers: ({ allowed_methods }) => ({ Allow: allowed_methods.join(', ') }),
  }),
  PAYLOAD_TOO_LARGE: kind(413, 'Request body is too large', { code: 'BAD_REQUEST' }),
  /**
   * A body that stopped arriving. The connection cannot be reused: its remaining bytes would be
   * read as another request.
   */
  REQUEST_TIMEOUT: kind(408, 'The request took too long to arrive', {
    headers: () => ({ Connection: 'close' }),
  }),
  REQUEST_VARIABLE_MISSING: kind<{ var_name: string }>(
    400,
    ({ var_name }) => `Missing '${var_name}' argument`,
  ),
  REQUEST_VARIABLE_INVALID: kind<{ var_name: string; bad_value: unknown }>(
    400,
    ({ var_name, bad_value }) => `Bad value for '${var_name}': ${String(bad_value)}`,
  ),
  REQUEST_CONFUSING_VAR: kind<{ var_name1: string; var_name2: string }>(
    400,
    ({ var_name1, var_name2 }) =>
      `Can't decide between '${var_name1}' and '${var_name2}' arguments`,
  ),
  UNSUPPORTED_COMBINATION: kind<{ parameters: string }>(
    400,
    ({ parameters }) => `Unsupported parameter combination: ${parameters}`,
    { code: 'BAD_REQUEST' },
  ),

  /** A stored object would become invalid; the fields name its invalid attributes. */
  VALIDATION_FAILED: kind<{ errors: Record<string, string[]> }>(400, undefined, {
    code: 'BAD_REQUEST',
  }),

  UNAUTHORIZED: kind(
    401,
    'Not logged in: API authentication or user session required',
    basicChallenge,
  ),
  INVALID_API_KEY: kind(401, 'Invalid API key', basicChallenge),
  USER_DEACTIVATED: kind(401, 'Account is deactivated'),
  REALM_DEACTIVATED: kind(401, 'This organization has been deactivated'),
  /** The same for the account of the credentials, with a challenge that asks for others. */
  CALLER_DEACTIVATED: kind(401, 'Account is deactivated', {
    code: 'USER_DEACTIVATED',
    ...basicChallenge,
  }),
  CALLER_REALM_DEACTIVATED: kind(401, 'This organization has been deactivated', {
    code: 'REALM_DEACTIVATED',
    ...basicChallenge,
  }),
  /** Without the challenge that makes browsers ask for a password themselves. */
  SESSION_REQUIRED: kind(401, 'Not logged in: API authentication or user session required', {
    code: 'UNAUTHORIZED',
    headers: () => ({ 'WWW-Authenticate': 'Session realm="zulip"' }),
  }),
  AUTHENTICATION_FAILED: kind(401, 'Your username or password is incorrect'),
  PASSWORD_AUTH_DISABLED: kind(401, 'Password authentication is disabled in this organization'),
  PASSWORD_RESET_REQUIRED: kind(401, 'Your password has been disabled and needs to be reset'),
  /** The password was correct; the application requires a code as well. */
  SECOND_FACTOR_REQUIRED: kind(401, 'A second factor is required to sign in'),
  /** The password was correct; the code was wrong, or the application refused the sign-in. */
  SECOND_FACTOR_FAILED: kind(401, 'The code is incorrect'),
  NONEXISTENT_SUBDOMAIN: kind(404, 'Invalid subdomain'),
  CSRF_FAILED: kind<{ reason: string }>(403, ({ reason }) => `CSRF error: ${reason}`),
  ADDRESS_NOT_ALLOWED: kind(403, 'Administration is not allowed from your network address'),
  UNAUTHORIZED_PRINCIPAL: kind(400),
  RATE_LIMIT_HIT: kind<{ 'retry-after': number }>(429, 'API usage exceeded rate limit', {
    // Whole seconds (RFC 9110, 10.2.3), rounded up so that the next attempt is not too early.
    headers: (fields) => ({
      'Retry-After': String(Math.max(1, Math.ceil(fields['retry-after']))),
    }),
  }),

  BAD_EVENT_QUEUE_ID: kind<{ queue_id: string }>(
    400,
    ({ queue_id }) => `Bad event queue ID: ${queue_id}`,
  ),
  BAD_NARROW: kind<{ desc: string }>(400, ({ desc }) => `Invalid narrow operator: ${desc}`),
  STREAM_DOES_NOT_EXIST: kind<{ stream_id: number } | { stream: string }>(400, (fields) =>
    'stream_id' in fields
      ? `Channel with ID '${fields.stream_id}' does not exist`
      : `Channel '${fields.stream}' does not exist`,
  ),
  CHANNEL_ALREADY_EXISTS: kind<{ channel_name: string }>(
    409,
    ({ channel_name }) => `Channel '${channel_name}' already exists`,
  ),
  REACTION_ALREADY_EXISTS: kind(400, 'Reaction already exists.'),
  REACTION_DOES_NOT_EXIST: kind(400, "Reaction doesn't exist."),
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: kind<{
    first_message_id_allowed_to_move: number
    total_messages_in_topic: number
    total_messages_allowed_to_move: number
  }>(
    400,
    (fields) =>
      `You only have permission to move the ${fields.total_messages_allowed_to_move}/${fields.total_messages_in_topic} most recent messages in this topic.`,
  ),
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: kind(
    400,
    'You do not have permission to use topic wildcard mentions in this topic.',
  ),
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: kind(
    400,
    'You do not have permission to use channel wildcard mentions in this channel.',
  ),
  TOPIC_POLICY_VIOLATED: kind<{ empty_topic_display_name: string }>(400, undefined, {
    code: 'BAD_REQUEST',
  }),
  EXPECTATION_MISMATCH: kind<{ field_name: string }>(
    400,
    ({ field_name }) => `'${field_name}' value does not match the expected value.`,
  ),
  SYSTEM_GROUP_REQUIRED: kind<{ setting_name: string }>(
    400,
    ({ setting_name }) => `'${setting_name}' must be a system user group.`,
  ),
  CANNOT_DEACTIVATE_GROUP_IN_USE: kind<{ objections: object[] }>(
    400,
    'Cannot deactivate user group in use.',
  ),
  CANNOT_DEACTIVATE_LAST_USER: kind<{ is_last_owner: boolean; entity: string }>(
    400,
    ({ entity }) => `Cannot deactivate the only ${entity}`,
  ),
  BAD_IMAGE: kind(400, 'Could not decode image; did you upload an image file?'),
  REALM_UPLOAD_QUOTA: kind(400, "Upload would exceed your organization's upload quota."),
  /** An uploaded file that exists but that the caller may not read. */
  FILE_NOT_ACCESSIBLE: kind(403, 'You are not authorized to view this file.', {
    code: 'BAD_REQUEST',
  }),

  PUSH_SERVICE_NOT_CONFIGURED: kind(
    400,
    'Server is not configured to use push notification service.',
  ),
  INVALID_PUSH_DEVICE_TOKEN: kind(400, 'Device not recognized'),
  INVALID_REMOTE_PUSH_DEVICE_TOKEN: kind(400, 'Device not recognized by the push bouncer'),
  NO_ACTIVE_PUSH_DEVICE: kind(400, 'No active registered push device'),
  ADMIN_ACTION_REQUIRED: kind(
    403,
    'Push notification configuration issue on server, contact the server administrator or retry later.',
  ),
  FAILED_TO_CONNECT_BOUNCER: kind(
    502,
    'Network error while connecting to Zulip push notification service.',
  ),
  INTERNAL_SERVER_ERROR_ON_BOUNCER: kind(
    502,
    'Internal server error on Zulip push notification service, retry later.',
  ),

  /** The database is locked or unavailable; the client should try again. */
  SERVICE_UNAVAILABLE: kind(503, 'The service is temporarily unavailable, please try again', {
    headers: () => ({ 'Retry-After': '1' }),
  }),
  INTERNAL_SERVER_ERROR: kind(500, 'Internal server error'),
}

export type ErrorKindName = keyof typeof errorKinds

/** The additional fields of one kind of error. */
export type FieldsOf<Name extends ErrorKindName> =
  (typeof errorKinds)[Name] extends ErrorKind<infer Fields> ? Fields : never
