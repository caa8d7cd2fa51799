import { namedText, type NamedText } from '../texts/index.js'

/** The wire format of one kind of error. */
export interface ErrorKind<Fields extends object = Record<never, never>> {
  /** HTTP status. */
  readonly status: number
  /** The `code` on the wire, if it differs from the name of the kind. */
  readonly code?: string
  /**
   * The default text. Without it, the default is the text that has the name of the kind, with the
   * fields as values; for a kind without such a text, the code that throws names one.
   */
  text?(fields: Fields): NamedText
  /** Set if only calls of the application have the error, and no request. */
  readonly isOfApplication?: true
  /** Response headers of the error. */
  headers?(fields: Fields): Record<string, string>
  /** Carries the type of the additional fields; never read. */
  readonly fields?: Fields
}

function kind<Fields extends object = Record<never, never>>(
  status: number,
  more: Pick<ErrorKind<Fields>, 'code' | 'headers' | 'isOfApplication' | 'text'> = {},
): ErrorKind<Fields> {
  return { status, ...more }
}

const basicChallenge = { headers: () => ({ 'WWW-Authenticate': 'Basic realm="zulip"' }) }

/**
 * Every error that a client may receive: status, default text and additional fields, in one place.
 * Code that throws an error never chooses its status.
 */
export const errorKinds = {
  BAD_REQUEST: kind(400),
  /** An unknown object on the endpoints that answer 404 for it; the code stays `BAD_REQUEST`. */
  OBJECT_NOT_FOUND: kind(404, { code: 'BAD_REQUEST' }),
  /** A path under the API's prefix that is not an endpoint. */
  ROUTE_NOT_FOUND: kind(404, { code: 'BAD_REQUEST' }),
  METHOD_NOT_ALLOWED: kind<{ allowed_methods: string[] }>(405, {
    headers: ({ allowed_methods }) => ({ Allow: allowed_methods.join(', ') }),
  }),
  PAYLOAD_TOO_LARGE: kind(413, { code: 'BAD_REQUEST' }),
  /**
   * A body that stopped arriving. The connection cannot be reused: its remaining bytes would be
   * read as another request.
   */
  REQUEST_TIMEOUT: kind(408, {
    headers: () => ({ Connection: 'close' }),
  }),
  REQUEST_VARIABLE_MISSING: kind<{ var_name: string }>(400),
  REQUEST_VARIABLE_INVALID: kind<{ var_name: string; bad_value: unknown }>(400),
  REQUEST_CONFUSING_VAR: kind<{ var_name1: string; var_name2: string }>(400),
  UNSUPPORTED_COMBINATION: kind<{ parameters: string }>(400, { code: 'BAD_REQUEST' }),

  /** A stored object would become invalid; the fields name its invalid attributes. */
  VALIDATION_FAILED: kind<{ errors: Record<string, string[]> }>(400, {
    code: 'BAD_REQUEST',
  }),

  UNAUTHORIZED: kind(401, basicChallenge),
  INVALID_API_KEY: kind(401, basicChallenge),
  USER_DEACTIVATED: kind(401),
  REALM_DEACTIVATED: kind(401),
  /** The same for the account of the credentials, with a challenge that asks for others. */
  CALLER_DEACTIVATED: kind(401, {
    code: 'USER_DEACTIVATED',
    ...basicChallenge,
  }),
  CALLER_REALM_DEACTIVATED: kind(401, {
    code: 'REALM_DEACTIVATED',
    ...basicChallenge,
  }),
  /** Without the challenge that makes browsers ask for a password themselves. */
  SESSION_REQUIRED: kind(401, {
    code: 'UNAUTHORIZED',
    headers: () => ({ 'WWW-Authenticate': 'Session realm="zulip"' }),
  }),
  AUTHENTICATION_FAILED: kind(401),
  PASSWORD_AUTH_DISABLED: kind(401),
  PASSWORD_RESET_REQUIRED: kind(401),
  /** The password was correct; the application requires a code as well. */
  SECOND_FACTOR_REQUIRED: kind(401),
  /** The password was correct; the code was wrong, or the application refused the sign-in. */
  SECOND_FACTOR_FAILED: kind(401),
  NONEXISTENT_SUBDOMAIN: kind(404),
  SUBDOMAIN_TAKEN: kind(409, { isOfApplication: true }),
  CSRF_FAILED: kind<{ reason: string }>(403),
  ADDRESS_NOT_ALLOWED: kind(403),
  UNAUTHORIZED_PRINCIPAL: kind(400),
  RATE_LIMIT_HIT: kind<{ 'retry-after': number }>(429, {
    // Whole seconds (RFC 9110, 10.2.3), rounded up so that the next attempt is not too early.
    headers: (fields) => ({
      'Retry-After': String(Math.max(1, Math.ceil(fields['retry-after']))),
    }),
  }),

  BAD_EVENT_QUEUE_ID: kind<{ queue_id: string }>(400),
  BAD_NARROW: kind<{ desc: string }>(400),
  STREAM_DOES_NOT_EXIST: kind<{ stream_id: number } | { stream: string }>(400, {
    text: (fields) =>
      'stream_id' in fields
        ? namedText('CHANNEL_WITH_ID_UNKNOWN', fields)
        : namedText('CHANNEL_WITH_NAME_UNKNOWN', fields),
  }),
  CHANNEL_ALREADY_EXISTS: kind<{ channel_name: string }>(409),
  REACTION_ALREADY_EXISTS: kind(400),
  REACTION_DOES_NOT_EXIST: kind(400),
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: kind<{
    first_message_id_allowed_to_move: number
    total_messages_in_topic: number
    total_messages_allowed_to_move: number
  }>(400),
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: kind(400),
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: kind(400),
  TOPIC_POLICY_VIOLATED: kind<{ empty_topic_display_name: string }>(400, {
    code: 'BAD_REQUEST',
  }),
  EXPECTATION_MISMATCH: kind<{ field_name: string }>(400),
  SYSTEM_GROUP_REQUIRED: kind<{ setting_name: string }>(400),
  CANNOT_DEACTIVATE_GROUP_IN_USE: kind<{ objections: object[] }>(400),
  CANNOT_DEACTIVATE_LAST_USER: kind<{ is_last_owner: boolean; entity: string }>(400),
  /** Some or all addresses of a request could not be invited. */
  INVITATION_FAILED: kind<{
    /** The address, the reason, and whether it belongs to a deactivated account. */
    errors: (readonly [string, string, boolean])[]
    sent_invitations: boolean
    license_limit_reached: boolean
    daily_limit_reached: boolean
  }>(400),
  BAD_IMAGE: kind(400),
  REALM_UPLOAD_QUOTA: kind(400),
  /** An uploaded file that exists but that the caller may not read. */
  FILE_NOT_ACCESSIBLE: kind(403, {
    code: 'BAD_REQUEST',
  }),

  PUSH_SERVICE_NOT_CONFIGURED: kind(400),
  INVALID_PUSH_DEVICE_TOKEN: kind(400),
  INVALID_REMOTE_PUSH_DEVICE_TOKEN: kind(400),
  NO_ACTIVE_PUSH_DEVICE: kind(400),
  ADMIN_ACTION_REQUIRED: kind(403),
  FAILED_TO_CONNECT_BOUNCER: kind(502),
  INTERNAL_SERVER_ERROR_ON_BOUNCER: kind(502),

  /** The server for video calls is down, or refuses this server's requests. */
  VIDEO_CALL_SERVER_FAILED: kind(502, {
    code: 'BAD_REQUEST',
  }),

  /** The database is locked or unavailable, or too much waits; the client should try again. */
  SERVICE_UNAVAILABLE: kind<{ 'retry-after'?: number }>(503, {
    headers: (fields) => ({ 'Retry-After': String(fields['retry-after'] ?? 1) }),
  }),
  INTERNAL_SERVER_ERROR: kind(500),
}

export type ErrorKindName = keyof typeof errorKinds

/** The additional fields of one kind of error. */
export type FieldsOf<Name extends ErrorKindName> =
  (typeof errorKinds)[Name] extends ErrorKind<infer Fields> ? Fields : never
