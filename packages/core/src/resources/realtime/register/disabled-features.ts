interface DisabledFeature {
  /** The feature is off if all of these operations are switched off. */
  readonly operations: readonly string[]
  /** The values that clients get then, by the key of the registration. */
  readonly values: Readonly<Record<string, boolean | number | string>>
}

/** The features for which registrations have a word. */
const features: readonly DisabledFeature[] = [
  { operations: ['upload-file'], values: { max_file_upload_size_mib: 0 } },
  {
    operations: ['upload-avatar', 'remove-avatar'],
    values: { server_avatar_changes_disabled: true },
  },
  { operations: ['update-presence'], values: { realm_presence_disabled: true } },
  { operations: ['get-read-receipts'], values: { realm_enable_read_receipts: false } },
  { operations: ['update-message'], values: { realm_allow_message_editing: false } },
  {
    operations: ['get-message-history'],
    values: { realm_message_edit_history_visibility_policy: 'none' },
  },
  {
    // Subscribing creates channels that do not exist.
    operations: ['create-channel', 'subscribe'],
    values: {
      can_create_streams: false,
      can_create_public_streams: false,
      can_create_private_streams: false,
      can_create_web_public_streams: false,
    },
  },
  {
    operations: ['add-apns-token', 'add-fcm-token', 'register-push-device'],
    values: { realm_push_notifications_enabled: false },
  },
]

/** The keys of a registration, in which the features that are switched off are off. */
export function withoutDisabledFeatures(
  keys: Readonly<Record<string, unknown>>,
  disabledOperations: ReadonlySet<string>,
): Readonly<Record<string, unknown>> {
  if (disabledOperations.size === 0) return keys
  const shown: Record<string, unknown> = { ...keys }
  for (const { operations, values } of features) {
    if (!operations.every((id) => disabledOperations.has(id))) continue
    for (const [name, value] of Object.entries(values)) if (name in shown) shown[name] = value
  }
  return shown
}
