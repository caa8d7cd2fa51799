/** The keywords of JSON Schema that say where a value has texts, as declarations use them. */
interface Schema {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly items?: Schema | readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly orJson?: Schema
  readonly contentKind?: string
}

/**
 * The places in `schema` where a client may write any text and that are not declared as content,
 * each with its path; empty if there are none.
 */
export function undeclaredTexts(place: string, declared: unknown): string[] {
  // Declarations are JSON Schema
  const schema = declared as Schema
  const { contentKind, type, anyOf = [], allOf = [] } = schema
  // Every text in a value of a kind has that kind.
  if (contentKind !== undefined || schema.const !== undefined || schema.enum !== undefined)
    return []
  const { items = [], properties = {}, patternProperties = {}, additionalProperties } = schema
  const open = [
    ...Object.values(patternProperties),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ]
  const isUntyped = type === undefined && anyOf.length === 0 && allOf.length === 0
  // One part of a combination that declares a kind is enough.
  const combined = allOf.map((one) => undeclaredTexts(place, one))
  const found = [
    ...([type].flat().includes('string') || isUntyped ? [place] : []),
    ...anyOf.flatMap((one) => undeclaredTexts(place, one)),
    ...(combined.some((texts) => texts.length === 0) ? [] : combined.flat()),
    ...(schema.orJson === undefined ? [] : undeclaredTexts(place, schema.orJson)),
    ...[items].flat().flatMap((one) => undeclaredTexts(`${place}[]`, one)),
    ...open.flatMap((one) => undeclaredTexts(`${place}{}`, one)),
    ...Object.entries(properties).flatMap(([key, one]) => undeclaredTexts(`${place}.${key}`, one)),
  ]
  return [...new Set(found)]
}

/**
 * The texts in parameters of writing operations that hooks of content do not get, by reason. A text
 * that others will read is not listed here: its schema declares a `contentKind`.
 */
export const otherTexts: Readonly<Record<string, readonly string[]>> = {
  'refer to what exists, or choose among values': [
    'add-code-playground pygments_language',
    'add-reaction emoji_code',
    'add-reaction emoji_name',
    'add-reaction reaction_type',
    'add-submessage msg_type',
    'create-bot default_events_register_stream',
    'create-bot default_sending_stream',
    'create-channel message_retention_days',
    'create-channel topics_policy',
    'create-socket-ticket queue_id',
    'deactivate-custom-emoji emoji_name',
    'delete-queue queue_id',
    'delete-realm-domain domain',
    'delete-topic topic_name',
    'get-file-temporary-urls paths[]',
    'mark-topic-as-read topic_name',
    'mute-topic stream',
    'mute-topic topic',
    'register-queue event_types[]',
    'register-queue fetch_event_types[]',
    'register-queue narrow[][]',
    'remove-navigation-view fragment',
    'remove-reaction emoji_code',
    'remove-reaction emoji_name',
    'remove-reaction reaction_type',
    'send-message local_id',
    'send-message queue_id',
    'send-message sender',
    'submit-join-page terms',
    'send-message to',
    'send-message to[]',
    'send-json-webhook-message stream',
    'send-slack-webhook-message stream',
    'subscribe message_retention_days',
    'subscribe principals[]',
    'subscribe subscriptions[].color',
    'subscribe topics_policy',
    'unsubscribe principals[]',
    'unsubscribe subscriptions[]',
    'update-bot default_events_register_stream',
    'update-bot default_sending_stream',
    'update-display-settings default_language',
    'update-display-settings notification_sound',
    'update-display-settings timezone',
    'update-message prev_content_sha256',
    'update-message-flags flag',
    'update-message-flags op',
    'update-message-flags-for-narrow anchor',
    'update-message-flags-for-narrow flag',
    'update-message-flags-for-narrow narrow[]',
    'update-message-flags-for-narrow op',
    'update-notification-settings default_language',
    'update-notification-settings notification_sound',
    'update-notification-settings timezone',
    'update-presence status',
    'update-realm default_code_block_language',
    'update-realm default_language',
    'update-realm message_content_delete_limit_seconds',
    'update-realm message_content_edit_limit_seconds',
    'update-realm message_retention_days',
    'update-realm move_messages_between_streams_limit_seconds',
    'update-realm move_messages_within_stream_limit_seconds',
    'update-realm-user-settings-defaults notification_sound',
    'update-settings default_language',
    'update-settings notification_sound',
    'update-settings timezone',
    'update-status emoji_code',
    'update-status emoji_name',
    'update-status reaction_type',
    'update-status-for-user emoji_code',
    'update-status-for-user emoji_name',
    'update-status-for-user reaction_type',
    'update-stream message_retention_days',
    'update-stream topics_policy',
    'update-subscription-settings subscription_data[].property',
    'update-subscription-settings subscription_data[].value',
    'update-subscriptions add[].color',
    'update-subscriptions delete[]',
    'update-user-by-email email',
    // The topic that somebody is about to write in; its message has a hook.
    'set-typing-status topic',
    // Only this user's own relation to the topic.
    'update-user-topic topic',
  ],
  'are addresses, or patterns of addresses': [
    'add-code-playground url_template',
    'add-linkifier pattern',
    'add-linkifier url_template',
    'create-bot payload_url',
    'create-bot short_name',
    'create-realm-domain domain',
    'create-user email',
    'patch-realm-domain domain',
    'send-invites invitee_emails',
    'submit-join-page email',
    'update-bot service_payload_url',
    'update-display-settings email',
    'update-linkifier pattern',
    'update-linkifier url_template',
    'update-notification-settings email',
    'update-realm jitsi_server_url',
    'update-settings email',
    'update-user new_email',
    'update-user-by-email new_email',
  ],
  'are secrets, or credentials': [
    'add-apns-token appid',
    'add-apns-token token',
    'add-fcm-token token',
    'confirm-email-change confirmation_key',
    'create-user password',
    'dev-fetch-api-key username',
    'e2ee-test-notify push_account_id',
    'fetch-api-key password',
    'fetch-api-key second_factor_code',
    'fetch-api-key username',
    'register-push-device bouncer_public_key',
    'register-push-device encrypted_push_registration',
    'register-push-device push_account_id',
    'register-push-device push_public_key',
    'submit-join-page invitation_key',
    'submit-join-page password',
    'remove-apns-token token',
    'remove-fcm-token token',
    'send-json-webhook-message api_key',
    'send-slack-webhook-message api_key',
    'test-notify token',
    'unsubscribe-from-mails token',
    'update-display-settings new_password',
    'update-display-settings old_password',
    'update-notification-settings new_password',
    'update-notification-settings old_password',
    'update-settings new_password',
    'update-settings old_password',
  ],
  'are read by their author alone, or by nobody': [
    'add-alert-words alert_words[]',
    'add-navigation-view fragment',
    'add-navigation-view name',
    'create-drafts drafts[].content',
    'create-drafts drafts[].topic',
    'create-saved-snippet content',
    'create-saved-snippet title',
    // Accepted from clients and not used.
    'deactivate-user deactivation_notification_comment',
    'edit-draft draft.content',
    'edit-draft draft.topic',
    'edit-navigation-view fragment',
    'edit-navigation-view name',
    'edit-saved-snippet content',
    'edit-saved-snippet title',
    'remove-alert-words alert_words[]',
    'render-message content',
    'test-welcome-bot-custom-message welcome_message_custom_text',
  ],
  'become a message, whose texts hooks get': [
    'send-json-webhook-message payload',
    'send-json-webhook-message topic',
    'send-slack-webhook-message payload',
    'send-slack-webhook-message topic',
  ],
}
