import assert from 'node:assert/strict'
import { it } from 'node:test'

import { makeGroup, systemGroupId } from '../support/groups.js'
import { everyHost } from '../support/host.js'
import { realmOf } from '../support/organization-settings.js'

const serverValues = {
  max_message_length: 10000,
  max_topic_length: 60,
  max_stream_name_length: 60,
  max_stream_description_length: 1024,
  max_channel_folder_name_length: 60,
  max_channel_folder_description_length: 1024,
  max_reminder_note_length: 1000,
  max_bulk_new_subscription_messages: 100,
  max_avatar_file_size_mib: 5,
  max_icon_file_size_mib: 5,
  max_logo_file_size_mib: 5,
  max_file_upload_size_mib: 100,
  realm_upload_quota_mib: 51_200,
  password_min_length: 8,
  password_max_length: 100,
  password_min_guesses: 100_000_000,
  server_presence_ping_interval_seconds: 60,
  server_presence_offline_threshold_seconds: 200,
  server_typing_started_expiry_period_milliseconds: 45000,
  server_typing_stopped_wait_period_milliseconds: 12000,
  server_typing_started_wait_period_milliseconds: 30000,
  event_queue_longpoll_timeout_seconds: 90,
  server_min_deactivated_realm_deletion_days: 14,
  server_max_deactivated_realm_deletion_days: null,
  development_environment: false,
  server_inline_image_preview: true,
  server_inline_url_embed_preview: true,
  server_avatar_changes_disabled: false,
  server_name_changes_disabled: false,
  server_needs_upgrade: false,
  server_web_public_streams_enabled: true,
  server_can_summarize_topics: false,
  server_jitsi_server_url: null,
  settings_send_digest_emails: false,
  zulip_plan_is_not_limited: true,
  upgrade_text_for_wide_organization_logo: 'Available on Zulip Cloud Standard. Upgrade to access.',
  realm_empty_topic_display_name: 'general chat',
}

const organizationValues = {
  realm_name: 'Test',
  realm_description: '',
  realm_bot_domain: 'users.invalid',
  realm_org_type: 0,
  realm_plan_type: 1,
  realm_default_language: 'en',
  realm_icon_source: 'G',
  realm_logo_source: 'D',
  realm_night_logo_source: 'D',
  realm_default_code_block_language: '',
  realm_allow_message_editing: true,
  realm_message_content_edit_limit_seconds: 600,
  realm_message_content_delete_limit_seconds: 600,
  realm_move_messages_within_stream_limit_seconds: 604800,
  realm_move_messages_between_streams_limit_seconds: 604800,
  realm_message_edit_history_visibility_policy: 'all',
  realm_allow_edit_history: true,
  realm_message_retention_days: -1,
  realm_topics_policy: 'allow_empty_topic',
  realm_mandatory_topics: false,
  realm_invite_required: true,
  realm_emails_restricted_to_domains: false,
  realm_disallow_disposable_email_addresses: true,
  realm_require_unique_names: false,
  realm_name_changes_disabled: false,
  realm_email_changes_disabled: false,
  realm_avatar_changes_disabled: false,
  realm_waiting_period_threshold: 0,
  realm_digest_emails_enabled: false,
  realm_digest_weekday: 1,
  realm_send_welcome_emails: true,
  realm_message_content_allowed_in_email_notifications: true,
  realm_inline_image_preview: true,
  realm_inline_url_embed_preview: false,
  realm_enable_spectator_access: false,
  realm_want_advertise_in_communities_directory: false,
  realm_enable_read_receipts: true,
  realm_enable_guest_user_indicator: true,
  realm_enable_guest_user_dm_warning: true,
  realm_presence_disabled: false,
  realm_video_chat_provider: 1,
  realm_jitsi_server_url: null,
  realm_giphy_rating: 2,
  realm_is_zephyr_mirror_realm: false,
  realm_push_notifications_enabled: false,
  realm_push_notifications_enabled_end_timestamp: null,
  realm_require_e2ee_push_notifications: false,
  realm_welcome_message_custom_text: '',
  realm_email_auth_enabled: true,
  realm_password_auth_enabled: true,
  realm_authentication_methods: { Email: { enabled: true, available: true } },
  realm_new_stream_announcements_stream_id: -1,
  realm_signup_announcements_stream_id: -1,
  realm_zulip_update_announcements_stream_id: -1,
  realm_moderation_request_channel_id: -1,
  realm_available_video_chat_providers: {
    disabled: { name: 'None', id: 0 },
    jitsi_meet: { name: 'Jitsi Meet', id: 1 },
  },
  realm_create_public_stream_policy: 1,
  realm_create_private_stream_policy: 1,
  realm_create_web_public_stream_policy: 7,
  realm_wildcard_mention_policy: 5,
}

/** The default group of each permission setting of the organization. */
const permissions: Readonly<Record<string, string>> = {
  can_access_all_users_group: 'role:everyone',
  can_add_custom_emoji_group: 'role:members',
  can_add_subscribers_group: 'role:members',
  can_create_bots_group: 'role:members',
  can_create_groups: 'role:members',
  can_create_private_channel_group: 'role:members',
  can_create_public_channel_group: 'role:members',
  can_create_web_public_channel_group: 'role:owners',
  can_create_write_only_bots_group: 'role:members',
  can_delete_any_message_group: 'role:administrators',
  can_delete_own_message_group: 'role:everyone',
  can_invite_users_group: 'role:members',
  can_manage_all_groups: 'role:owners',
  can_manage_billing_group: 'role:administrators',
  can_mention_many_users_group: 'role:administrators',
  can_move_messages_between_channels_group: 'role:members',
  can_move_messages_between_topics_group: 'role:everyone',
  can_resolve_topics_group: 'role:everyone',
  can_set_delete_message_policy_group: 'role:moderators',
  can_set_topics_policy_group: 'role:members',
  can_summarize_topics_group: 'role:everyone',
  create_multiuse_invite_group: 'role:administrators',
  direct_message_initiator_group: 'role:everyone',
  direct_message_permission_group: 'role:everyone',
}

everyHost('register-queue', (at) => {
  it('describes a new organization and the server completely in the section realm', async () => {
    const { alice } = at.people

    const realm = await realmOf(alice)

    const groups: Record<string, number> = {}
    for (const [name, group] of Object.entries(permissions)) {
      groups[`realm_${name}`] = await systemGroupId(alice, group)
    }
    const {
      queue_id,
      last_event_id,
      server_generation,
      server_supported_permission_settings,
      server_thumbnail_formats,
      giphy_rating_options,
      realm_default_external_accounts,
      ...rest
    } = realm
    assert.match(queue_id, /\S/)
    assert.equal(Number.isInteger(last_event_id), true)
    assert.equal(server_generation, at.host.startedAtSeconds)
    assert.deepEqual(Object.keys(server_supported_permission_settings).sort(), [
      'group',
      'realm',
      'stream',
    ])
    assert.equal(server_thumbnail_formats.length, 2)
    assert.deepEqual(giphy_rating_options['pg-13'], {
      name: 'Allow GIFs rated PG-13 (Parental guidance - under 13)',
      id: 4,
    })
    assert.deepEqual(realm_default_external_accounts['github'], {
      text: 'GitHub',
      url_pattern: 'https://github.com/%(username)s',
      name: 'GitHub username',
      hint: '',
    })
    const icon = rest['realm_icon_url'] as string
    assert.deepEqual(rest, {
      result: 'success',
      msg: '',
      zulip_version: '11.0-dev+parley',
      zulip_merge_base: '11.0-dev+parley',
      zulip_feature_level: 420,
      ...serverValues,
      ...organizationValues,
      ...groups,
      server_emoji_data_url: `${at.host.origin}/api/v1/emoji_data.json`,
      realm_url: at.host.origin,
      realm_uri: at.host.origin,
      realm_date_created: at.clock.seconds,
      realm_icon_url: icon,
      realm_logo_url: icon,
      realm_night_logo_url: icon,
    })
    assert.match(icon, /^\/user_avatars\/default\/organization-\d+\.png\?version=1$/)
  })

  it('returns an address of emoji data that requires no credentials', async () => {
    const { server_emoji_data_url } = await realmOf(at.people.alice)

    const answer = await at.nobody.get(
      server_emoji_data_url.slice(`${at.host.origin}/api/v1`.length),
    )

    assert.deepEqual(Object.keys(answer.body), ['code_to_names'])
    assert.equal(answer.body.code_to_names['1f419'][0], 'octopus')
  })

  it('returns the groups that each permission setting can be set to', async () => {
    const { server_supported_permission_settings: supported } = await realmOf(at.people.alice)

    assert.deepEqual(Object.keys(supported.realm).sort(), Object.keys(permissions))
    for (const [name, group] of Object.entries(permissions)) {
      assert.equal(supported.realm[name].default_group_name, group, name)
    }
    assert.deepEqual(supported.realm.can_create_web_public_channel_group, {
      require_system_group: true,
      allow_internet_group: false,
      allow_nobody_group: true,
      allow_everyone_group: false,
      default_group_name: 'role:owners',
      default_for_system_groups: null,
      allowed_system_groups: [
        'role:moderators',
        'role:administrators',
        'role:owners',
        'role:nobody',
      ],
    })
    assert.equal(
      supported.stream.can_administer_channel_group.default_group_name,
      'stream_creator_or_nobody',
    )
    assert.deepEqual(supported.group.can_manage_group, {
      require_system_group: false,
      allow_internet_group: false,
      allow_nobody_group: true,
      allow_everyone_group: false,
      default_group_name: 'group_creator',
      default_for_system_groups: 'role:nobody',
      allowed_system_groups: [],
    })
  })

  it('returns groups with the settings of their creator, deactivated ones on request', async () => {
    const { alice, gus } = at.people
    const id = await makeGroup(alice, 'shown', { members: [gus.id] })
    const gone = await makeGroup(alice, 'gone')
    await alice.post(`/user_groups/${gone}/deactivate`)
    const idsFor = async (capabilities: object) => {
      const { body } = await gus.post('/register', {
        fetch_event_types: ['realm_user_groups'],
        client_capabilities: { notification_settings_null: true, ...capabilities },
      })
      return body.realm_user_groups as {
        id: number
        members: number[]
        can_manage_group: unknown
      }[]
    }

    const usual = await idsFor({})
    const all = await idsFor({ include_deactivated_groups: true })

    const shown = usual.find((group) => group.id === id)
    assert.deepEqual(shown?.members, [gus.id])
    assert.deepEqual(shown?.can_manage_group, { direct_members: [alice.id], direct_subgroups: [] })
    assert.equal(
      usual.some((group) => group.id === gone),
      false,
    )
    assert.equal(
      all.some((group) => group.id === gone),
      true,
    )
  })
})

const legacyNumbers: readonly (readonly [string, string, string, number])[] = [
  ['can_create_public_channel_group', 'role:fullmembers', 'realm_create_public_stream_policy', 3],
  ['can_create_public_channel_group', 'role:nobody', 'realm_create_public_stream_policy', 2],
  ['can_create_private_channel_group', 'role:moderators', 'realm_create_private_stream_policy', 4],
  [
    'can_create_private_channel_group',
    'role:administrators',
    'realm_create_private_stream_policy',
    2,
  ],
  [
    'can_create_web_public_channel_group',
    'role:nobody',
    'realm_create_web_public_stream_policy',
    6,
  ],
  ['can_mention_many_users_group', 'role:everyone', 'realm_wildcard_mention_policy', 1],
  ['can_mention_many_users_group', 'role:members', 'realm_wildcard_mention_policy', 2],
  ['can_mention_many_users_group', 'role:moderators', 'realm_wildcard_mention_policy', 7],
  ['can_mention_many_users_group', 'role:nobody', 'realm_wildcard_mention_policy', 6],
]
for (const [setting, group, key, number] of legacyNumbers) {
  everyHost(
    'register-queue',
    (at) => {
      it(`returns ${setting} = ${group} to older clients as the number ${number}`, async () => {
        assert.equal((await realmOf(at.people.gus))[key], number)
      })
    },
    { settings: { [setting]: group } },
  )
}

everyHost(
  'register-queue',
  (at) => {
    it('returns values that are derived from other settings', async () => {
      const realm = await realmOf(at.people.alice)

      assert.equal(realm['realm_mandatory_topics'], true)
      assert.equal(realm['realm_topics_policy'], 'disable_empty_topic')
      assert.equal(realm['realm_allow_edit_history'], false)
      assert.equal(realm['jitsi_server_url'], 'https://calls.example')
      assert.equal(realm['realm_jitsi_server_url'], 'https://calls.example')
      assert.equal(realm['server_jitsi_server_url'], null)
      assert.deepEqual(realm['realm_authentication_methods'], {
        Email: { enabled: false, available: true },
      })
      assert.equal(realm['realm_email_auth_enabled'], false)
    })
  },
  {
    settings: {
      topics_policy: 'disable_empty_topic',
      message_edit_history_visibility_policy: 'none',
      jitsi_server_url: 'https://calls.example',
      password_auth_enabled: false,
    },
  },
)
