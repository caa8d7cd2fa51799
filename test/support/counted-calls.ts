import { passwordOf } from './cast.js'
import { hallOf, pick, type CountedCall } from './counted-call.js'
import { countedMessageCalls } from './counted-message-calls.js'

/** A call for every operation whose statements could grow with users, channels or messages. */
export const countedCalls: Readonly<Record<string, CountedCall>> = {
  ...countedMessageCalls,
  'get-server-settings': ({ nobody }) => nobody.get('/server_settings'),
  'fetch-api-key': ({ nobody, alice }) =>
    nobody.post('/fetch_api_key', { username: alice.email, password: passwordOf('alice') }),
  'get-users': ({ alice }) => alice.get('/users'),
  'get-own-user': ({ alice }) => alice.get('/users/me'),
  'get-user': ({ alice, users }) => alice.get(`/users/${pick(users, 0)}`),
  'get-user-by-email': ({ alice, olga }) => alice.get(`/users/${olga.email}`),
  'create-user': ({ olga }, round) =>
    olga.post('/users', {
      email: `new${round}-${olga.id}@crowd.example`,
      full_name: `New ${'abc'[round]}`,
      password: 'correct horse new',
    }),
  'update-user': ({ olga, users }, round) =>
    olga.patch(`/users/${pick(users, 0)}`, { full_name: `Renamed ${'abc'[round]}` }),
  'update-user-by-email': ({ olga, alice }, round) =>
    olga.patch(`/users/${alice.email}`, { full_name: `Alice ${'abc'[round]}` }),
  'deactivate-user': ({ olga, users }, round) => olga.delete(`/users/${pick(users, round)}`),
  'reactivate-user': ({ olga, users }, round) =>
    olga.post(`/users/${pick(users, round)}/reactivate`),
  'get-custom-emoji': ({ alice }) => alice.get('/realm/emoji'),
  'deactivate-custom-emoji': ({ olga }, round) => olga.delete(`/realm/emoji/emoji${round}`),
  'get-linkifiers': ({ alice }) => alice.get('/realm/linkifiers'),
  'add-linkifier': ({ olga }, round) =>
    olga.post('/realm/filters', {
      pattern: `N${round}-(?P<n>[0-9]+)`,
      url_template: 'https://links.example/{n}',
    }),
  'update-linkifier': ({ olga, linkifiers }, round) =>
    olga.patch(`/realm/filters/${pick(linkifiers, 0)}`, {
      pattern: `U${round}-(?P<n>[0-9]+)`,
      url_template: 'https://links.example/{n}',
    }),
  'reorder-linkifiers': async ({ olga }) => {
    const { body } = await olga.get('/realm/linkifiers')
    const ids = (body.linkifiers as { id: number }[]).map(({ id }) => id)
    return olga.patch('/realm/linkifiers', { ordered_linkifier_ids: ids.toReversed() })
  },
  'remove-linkifier': ({ olga, linkifiers }, round) =>
    olga.delete(`/realm/filters/${pick(linkifiers, round)}`),
  'get-navigation-views': ({ alice }) => alice.get('/navigation_views'),
  'add-navigation-view': ({ alice }, round) =>
    alice.post('/navigation_views', {
      fragment: `new/${round}`,
      is_pinned: true,
      name: `N${round}`,
    }),
  'edit-navigation-view': ({ alice, snippets }, round) =>
    alice.patch(`/navigation_views/narrow/${pick(snippets, 0)}`, { is_pinned: round === 1 }),
  'remove-navigation-view': ({ alice, snippets }, round) =>
    alice.delete(`/navigation_views/narrow/${pick(snippets, round)}`),
  'get-user-groups': ({ alice }) => alice.get('/user_groups'),
  'create-user-group': ({ olga, users, groups }, round) =>
    olga.post('/user_groups/create', {
      name: `new ${round}`,
      description: '',
      members: users,
      subgroups: groups,
    }),
  'update-user-group': ({ olga, groups, users }, round) =>
    olga.patch(`/user_groups/${pick(groups, 0)}`, {
      can_mention_group: { new: { direct_members: users.slice(round), direct_subgroups: [] } },
    }),
  'get-user-group-members': ({ alice, groups }) =>
    alice.get(`/user_groups/${pick(groups, 0)}/members`),
  'get-is-user-group-member': ({ alice, groups, users }) =>
    alice.get(`/user_groups/${pick(groups, 0)}/members/${pick(users, 0)}`),
  'update-user-group-members': ({ olga, groups, users }, round) =>
    olga.post(`/user_groups/${pick(groups, 0)}/members`, {
      [round === 1 ? 'add' : 'delete']: users,
    }),
  'get-user-group-subgroups': ({ alice, groups }) =>
    alice.get(`/user_groups/${pick(groups, 0)}/subgroups`),
  'update-user-group-subgroups': ({ olga, groups }, round) =>
    olga.post(`/user_groups/${pick(groups, 0)}/subgroups`, {
      [round === 1 ? 'delete' : 'add']: groups.slice(2),
    }),
  'update-realm-user-settings-defaults': ({ olga }, round) =>
    olga.patch('/realm/user_settings_defaults', { color_scheme: round + 1 }),
  'update-settings': ({ alice }, round) => alice.patch('/settings', { color_scheme: round + 1 }),
  'get-alert-words': ({ alice }) => alice.get('/users/me/alert_words'),
  'add-alert-words': ({ alice, users }, round) =>
    alice.post('/users/me/alert_words', { alert_words: users.map((id) => `a${round} ${id}`) }),
  'remove-alert-words': ({ alice, users }, round) =>
    alice.delete('/users/me/alert_words', { alert_words: users.map((id) => `a${round} ${id}`) }),
  'mute-user': ({ olga, users }, round) => olga.post(`/users/me/muted_users/${pick(users, round)}`),
  'unmute-user': ({ olga, users }, round) =>
    olga.delete(`/users/me/muted_users/${pick(users, round)}`),
  'get-subscriptions': ({ alice }) =>
    alice.get('/users/me/subscriptions', { include_subscribers: 'true' }),
  'create-channel': ({ olga, users }, round) =>
    olga.post('/channels/create', { name: `made ${round}`, subscribers: users, announce: false }),
  subscribe: ({ olga, users }, round) =>
    olga.post('/users/me/subscriptions', {
      subscriptions: [{ name: `fresh ${round}` }],
      principals: users,
    }),
  unsubscribe: ({ olga, users }, round) =>
    olga.delete('/users/me/subscriptions', {
      subscriptions: [`fresh ${round}`],
      principals: users,
    }),
  'get-streams': ({ alice }) => alice.get('/streams'),
  'get-stream-by-id': (at) => at.alice.get(`/streams/${hallOf(at)}`),
  'get-stream-email-address': (at) => at.alice.get(`/streams/${hallOf(at)}/email_address`),
  'get-stream-id': ({ alice }) => alice.get('/get_stream_id', { stream: 'channel 0' }),
  'get-subscribers': (at) => at.alice.get(`/streams/${hallOf(at)}/members`),
  'update-stream': (at, round) =>
    at.olga.patch(`/streams/${hallOf(at)}`, { description: `About ${round}` }),
  'get-subscription-status': (at) =>
    at.alice.get(`/users/${pick(at.users, 0)}/subscriptions/${hallOf(at)}`),
  'update-subscription-settings': ({ alice, channels }, round) =>
    alice.post('/users/me/subscriptions/properties', {
      subscription_data: channels.map((stream_id) => ({
        stream_id,
        property: 'is_muted',
        value: round === 1,
      })),
    }),
  'remove-default-stream': ({ olga, channels }, round) =>
    olga.delete('/default_streams', { stream_id: pick(channels, round) }),
  'add-default-stream': ({ olga, channels }, round) =>
    olga.post('/default_streams', { stream_id: pick(channels, round) }),
  'add-code-playground': ({ olga }, round) =>
    olga.post('/realm/playgrounds', {
      name: `New ${round}`,
      pygments_language: 'Rust',
      url_template: 'https://play.example/{code}',
    }),
  'remove-code-playground': ({ olga, playgrounds }, round) =>
    olga.delete(`/realm/playgrounds/${pick(playgrounds, round)}`),
  'get-presence': ({ alice }) => alice.get('/realm/presence'),
  'update-presence': ({ alice }) =>
    alice.post('/users/me/presence', { status: 'active', last_update_id: -1 }),
  'get-user-status': ({ alice, users }) => alice.get(`/users/${pick(users, 0)}/status`),
  'update-status': ({ alice }, round) =>
    alice.post('/users/me/status', { status_text: `Status ${round}` }),
  'update-status-for-user': ({ olga, users }, round) =>
    olga.post(`/users/${pick(users, 2)}/status`, { status_text: `Status ${round}` }),
  'get-bots': ({ alice }) => alice.get('/bots'),
  'get-custom-profile-fields': ({ alice }) => alice.get('/realm/profile_fields'),
  'get-channel-folders': ({ alice }) => alice.get('/channel_folders'),
  'create-invite-link': ({ olga, channels }) =>
    olga.post('/invites/multiuse', { stream_ids: channels, group_ids: [] }),
  'get-invites': ({ olga }) => olga.get('/invites'),
  'revoke-invite-link': async ({ olga }) => {
    const { body } = await olga.get('/invites')
    return olga.delete(`/invites/multiuse/${body.invites[0].id}`)
  },
  'get-realm-exports': ({ olga }) => olga.get('/export/realm'),
  'get-realm-export-consents': ({ olga }) => olga.get('/export/realm/consents'),
  'get-realm-domains': ({ alice }) => alice.get('/realm/domains'),
  'create-realm-domain': ({ olga }, round) =>
    olga.post('/realm/domains', { domain: `d${round}.example`, allow_subdomains: true }),
  'patch-realm-domain': ({ olga }, round) =>
    olga.patch(`/realm/domains/d${round}.example`, { allow_subdomains: false }),
  'delete-realm-domain': ({ olga }, round) => olga.delete(`/realm/domains/d${round}.example`),
  'update-realm': ({ olga }, round) => olga.patch('/realm', { description: `About ${round}` }),
  'create-channel-folder': ({ olga }, round) =>
    olga.post('/channel_folders/create', { name: `Folder ${round}`, description: '' }),
  'patch-channel-folders': async ({ olga }) => {
    const { body } = await olga.get('/channel_folders')
    const ids = (body.channel_folders as { id: number }[]).map(({ id }) => id)
    return olga.patch('/channel_folders', { order: ids.toReversed() })
  },
  'update-channel-folder': async ({ olga }, round) => {
    const { body } = await olga.get('/channel_folders')
    return olga.patch(`/channel_folders/${body.channel_folders[0].id}`, { name: `Named ${round}` })
  },
  'create-custom-profile-field': ({ olga }, round) =>
    olga.post('/realm/profile_fields', { name: `Field ${round}`, field_type: 1 }),
  'reorder-custom-profile-fields': async ({ olga }) => {
    const { body } = await olga.get('/realm/profile_fields')
    const ids = (body.custom_fields as { id: number }[]).map(({ id }) => id)
    return olga.patch('/realm/profile_fields', { order: ids.toReversed() })
  },
  'update-custom-profile-field': async ({ olga }, round) => {
    const { body } = await olga.get('/realm/profile_fields')
    return olga.patch(`/realm/profile_fields/${body.custom_fields[0].id}`, { name: `Now ${round}` })
  },
  'update-profile-data': async ({ alice }, round) => {
    const { body } = await alice.get('/realm/profile_fields')
    const fields = body.custom_fields as { id: number }[]
    return alice.patch('/users/me/profile_data', {
      data: fields.map(({ id }) => ({ id, value: `Value ${round}` })),
    })
  },
  'remove-profile-data': async ({ alice }) => {
    const { body } = await alice.get('/realm/profile_fields')
    const fields = body.custom_fields as { id: number }[]
    return alice.delete('/users/me/profile_data', { data: fields.map(({ id }) => id) })
  },
  'delete-custom-profile-field': async ({ olga }) => {
    const { body } = await olga.get('/realm/profile_fields')
    return olga.delete(`/realm/profile_fields/${body.custom_fields[0].id}`)
  },
  'create-bot': ({ alice }, round) =>
    alice.post('/bots', { full_name: `Made ${'abc'[round]}`, short_name: `made${round}` }),
  'update-bot': ({ alice, bots }, round) =>
    alice.patch(`/bots/${pick(bots, 0)}`, { full_name: `Robot ${'abc'[round]}` }),
  'regenerate-bot-api-key': ({ alice, bots }) =>
    alice.post(`/bots/${pick(bots, 0)}/api_key/regenerate`),
  'deactivate-bot': ({ alice, bots }, round) => alice.delete(`/bots/${pick(bots, round)}`),
  'get-audit-log': ({ olga }) => olga.get('/audit_log', { limit: 1000 }),
  'deactivate-user-group': async ({ olga }, round) => {
    const { body } = await olga.get('/user_groups')
    const made = (body.user_groups as { id: number; name: string }[]).find(
      ({ name }) => name === `new ${round}`,
    )
    return olga.post(`/user_groups/${made?.id}/deactivate`)
  },
  'archive-stream': ({ olga, channels }, round) => olga.delete(`/streams/${pick(channels, round)}`),
}

/** Why the statements of the other operations cannot grow, or are counted elsewhere. */
export const notCounted: Readonly<Record<string, string>> = {
  'get-api-description': 'reads nothing',
  'report-message': 'sends one message',
  'test-welcome-bot-custom-message': 'sends one message',
  'add-submessage': 'adds one row to one message',
  'upload-file': 'writes one file',
  'get-file-temporary-url': 'reads one file',
  'get-file-temporary-urls': 'is counted in conformance/uploads-temporary.test.ts',
  'read-file': 'reads one file',
  'read-thumbnail': 'reads one file',
  'read-temporary-file': 'reads one file',
  'remove-attachment': 'removes one file',
  'upload-avatar': 'writes one file and one account, as update-user does',
  'remove-avatar': 'changes one account, as update-user does',
  'read-avatar': 'reads one account and one file',
  'read-default-avatar': 'reads nothing',
  'read-external-content': 'reads nothing',
  'send-slack-webhook-message': 'sends one message, as send-message does',
  'send-json-webhook-message': 'sends one message, as send-message does',
  'create-big-blue-button-video-call': 'reads nothing',
  'join-big-blue-button-video-call': 'reads one account',
  'upload-realm-icon': 'writes one file and the organization, as update-realm does',
  'remove-realm-icon': 'changes the organization, as update-realm does',
  'upload-realm-logo': 'writes one file and the organization, as update-realm does',
  'remove-realm-logo': 'changes the organization, as update-realm does',
  'read-realm-image': 'reads one file',
  'show-email-change': 'reads one account',
  'export-realm': 'inserts one row; the archive is produced in the background',
  'delete-realm-export': 'changes one export',
  'read-realm-export': 'reads one file',
  'send-invites': 'inserts all rows at once, as create-invite-link inserts one',
  'resend-email-invite': 'changes one invitation',
  'revoke-email-invite': 'changes one invitation, as revoke-invite-link does',
  'show-join-page': 'reads one invitation',
  'submit-join-page': 'creates one account, as create-user does',
  'show-mail-unsubscription': 'reads one account',
  'unsubscribe-from-mails': 'changes one account, as update-settings does',
  'confirm-email-change': 'changes one account, as update-user-by-email does',
  'deactivate-realm': 'changes the organization itself, after which nothing can be called',
  'get-emoji-data': 'reads nothing',
  'get-emoji-image': 'reads one image',
  'upload-custom-emoji': 'writes one emoji; the event lists all, as that of taking one away',
  'dev-fetch-api-key': 'only in development; reads one account',
  'dev-list-users': 'only in development; one list',
  'sign-on': 'reads one account',
  'regenerate-own-api-key': 'changes one account',
  'create-socket-ticket': 'writes one ticket',
  'update-subscriptions': 'is subscribe and unsubscribe at once',
  'update-display-settings': 'is update-settings under an older name',
  'update-notification-settings': 'is update-settings under an older name',
  'set-typing-status-for-message-edit': 'writes nothing; reads one message',
  'get-user-presence': 'reads one presence',
  'deactivate-own-user': 'is deactivate-user, of oneself',
  'add-apns-token': 'changes one device',
  'remove-apns-token': 'changes one device',
  'add-fcm-token': 'changes one device',
  'remove-fcm-token': 'changes one device',
  'test-notify': "notifies one user's devices",
  'e2ee-test-notify': "notifies one user's devices",
  'register-push-device': 'changes one device',
}
