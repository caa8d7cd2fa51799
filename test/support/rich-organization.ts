/** A PNG of one pixel. */
export const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const ships = { a: { text: 'Argo', order: '1' }, b: { text: 'Beagle', order: '2' } }

const keyOf = (name: string): string => name.padEnd(32, 'x')

/** An organization file with items of every resource; its ids start at `base`. */
export function richOrganization(subdomain: string, base: number) {
  const id = {
    olga: base + 1,
    alice: base + 2,
    bob: base + 3,
    gus: base + 4,
    dora: base + 5,
    bot: base + 6,
    crew: base + 11,
    mates: base + 12,
    members: base + 13,
    deck: base + 21,
    hold: base + 22,
    bridge: base + 23,
    shout: base + 31,
    old: base + 32,
    linkifier: base + 33,
    playground: base + 34,
    draft: base + 41,
    snippet: base + 42,
    view: base + 43,
    scheduled: base + 44,
    first: base + 51,
    mention: base + 52,
    everyone: base + 53,
    direct: base + 54,
    outside: base + 55,
    poll: base + 56,
    afloat: base + 61,
    ashore: base + 62,
    rank: base + 71,
    ship: base + 72,
    mate: base + 73,
    domain: base + 81,
    reminder: base + 82,
  }
  const at = 1_700_000_000
  const person = (name: 'olga' | 'alice' | 'bob' | 'gus' | 'dora') => ({
    id: id[name],
    email: `${name}@${subdomain}.example`,
    full_name: `${name[0]?.toUpperCase()}${name.slice(1)} Rich`,
    api_key: keyOf(`${name}${base}`),
    joined_at_seconds: at,
  })
  const file = {
    organization: {
      name: 'Rich',
      subdomain,
      created_at_seconds: at,
      settings: {
        description: 'Everything is here',
        can_create_groups: 'crew',
        can_invite_users_group: { direct_members: [id.bob], direct_subgroups: ['role:owners'] },
        can_move_messages_between_topics_group: id.mates,
        signup_announcements_stream_id: id.deck,
        message_content_edit_limit_seconds: null,
      },
      user_settings_defaults: { color_scheme: 2, enter_sends: true },
    },
    users: [
      { ...person('olga'), role: 100, timezone: 'Europe/Kyiv' },
      {
        ...person('alice'),
        settings: {
          twenty_four_hour_time: true,
          email_address_visibility: 4,
          translate_emoticons: true,
        },
        profile_data: { [id.rank]: '*First* mate', [id.ship]: 'b', [id.mate]: [id.dora] },
      },
      { ...person('bob'), profile_data: { [id.rank]: '' } },
      { ...person('gus'), role: 600 },
      { ...person('dora'), is_active: false },
    ],
    bots: [
      {
        id: id.bot,
        email: `bot@${subdomain}.example`,
        full_name: 'Bot Rich',
        owner_id: id.alice,
        api_key: keyOf(`bot${base}`),
        bot_type: 3,
        default_sending_channel_id: id.deck,
        default_events_channel_id: id.bridge,
        default_all_public_channels: true,
        service: { base_url: 'https://hook.example/in', interface: 2, token: 'abc' },
      },
    ],
    groups: [
      { id: id.members, name: 'role:members' },
      {
        id: id.crew,
        name: 'crew',
        description: 'Who sails',
        creator_id: id.alice,
        members: [id.alice, id.dora],
        subgroups: ['mates'],
        settings: { can_join_group: 'role:members', can_mention_group: id.crew },
      },
      { id: id.mates, name: 'mates', members: [id.bob] },
    ],
    channels: [
      {
        id: id.deck,
        name: 'Deck',
        description: 'Up *here*',
        subscribers: [id.olga, id.alice, id.bob, id.gus, id.dora],
        creator_id: id.olga,
        is_default: true,
        topics_policy: 'allow_empty_topic',
        folder_id: id.afloat,
        settings: { can_send_message_group: 'crew', can_remove_subscribers_group: id.mates },
      },
      { id: id.hold, name: 'hold', privacy: 'private', subscribers: [id.bob] },
      { id: id.bridge, name: 'bridge', subscribers: [id.olga] },
    ],
    subscriptions: [
      {
        user_id: id.alice,
        channel_id: id.deck,
        color: '#123456',
        is_muted: true,
        pin_to_top: true,
        push_notifications: false,
      },
      { user_id: id.alice, channel_id: id.bridge, is_active: false },
    ],
    messages: [
      {
        id: id.mention,
        sender_id: id.bob,
        channel_id: id.deck,
        topic: 'Sails',
        content: '@**Alice Rich** and @*crew*, see #**Deck>sails** :shout: and REF-7, ahoy',
        sent_at_seconds: at + 20,
        client: 'website',
      },
      {
        id: id.first,
        sender_id: id.olga,
        channel_id: id.deck,
        topic: 'sails',
        content: 'First :)',
        sent_at_seconds: at + 10,
        read_by: [id.alice],
        starred_by: [id.alice],
        collapsed_by: [id.gus],
      },
      {
        id: id.everyone,
        sender_id: id.alice,
        channel_id: id.deck,
        topic: '',
        content: '@**all** Hello :)',
        sent_at_seconds: at + 30,
      },
      {
        id: id.direct,
        sender_id: id.bob,
        to: [id.alice, id.gus],
        content: 'Psst',
        sent_at_seconds: at + 40,
      },
      {
        id: id.outside,
        sender_id: id.olga,
        channel_id: id.bridge,
        topic: 'course',
        content: '@**Bot Rich** north',
        sent_at_seconds: at + 50,
      },
      {
        id: id.poll,
        sender_id: id.bob,
        channel_id: id.hold,
        topic: 'votes',
        content: '/poll Where to?\nNorth\nSouth',
        sent_at_seconds: at + 55,
      },
      { sender_id: id.gus, to: [id.alice], content: 'Muted?', sent_at_seconds: at + 60 },
    ],
    realm_domains: [
      { id: id.domain, domain: `${subdomain}.Example`, allow_subdomains: true },
      { domain: 'other.example' },
    ],
    profile_fields: [
      { id: id.ship, type: 3, name: 'Ship', field_data: ships, required: true },
      {
        id: id.rank,
        type: 1,
        name: 'Rank',
        hint: 'Aboard',
        display_in_profile_summary: true,
        editable_by_user: false,
      },
      { id: id.mate, type: 6, name: 'Mates' },
    ],
    channel_folders: [
      { id: id.ashore, name: 'Ashore', is_archived: true },
      {
        id: id.afloat,
        name: 'Afloat',
        description: 'At *sea*',
        creator_id: id.olga,
        created_at_seconds: at + 6,
      },
    ],
    custom_emoji: [
      { id: id.shout, name: 'shout', image: pixel, author_id: id.alice },
      {
        id: id.old,
        name: 'old',
        image: `data:image/png;base64,${pixel}`,
        author_id: id.bob,
        is_deactivated: true,
      },
    ],
    linkifiers: [
      {
        id: id.linkifier,
        pattern: 'REF-(?P<id>[0-9]+)',
        url_template: 'https://refs.example/{id}',
      },
    ],
    playgrounds: [
      {
        id: id.playground,
        name: 'Rust',
        pygments_language: 'Rust',
        url_template: 'https://play.example/?code={code}',
      },
    ],
    alert_words: [{ user_id: id.gus, words: ['Ahoy', 'land'] }],
    muted_users: [{ user_id: id.alice, muted_user_id: id.gus, muted_at_seconds: at + 1 }],
    user_topics: [
      {
        user_id: id.alice,
        channel_id: id.deck,
        topic: 'sails',
        policy: 'followed',
        updated_at_seconds: at + 2,
      },
      {
        user_id: id.alice,
        channel_id: id.deck,
        topic: 'Oars',
        policy: 'muted',
        updated_at_seconds: at + 3,
      },
    ],
    user_statuses: [{ user_id: id.bob, status_text: 'Rowing', emoji_name: 'shout' }],
    reactions: [
      { message_id: id.first, user_id: id.bob, emoji_name: 'tada' },
      { message_id: id.first, user_id: id.gus, emoji_name: 'shout' },
      { message_id: id.outside, user_id: id.alice, emoji_name: 'octopus' },
    ],
    submessages: [
      { message_id: id.poll, sender_id: id.bob, content: '{"type":"vote","key":"canned,0"}' },
    ],
    reminders: [
      {
        id: id.reminder,
        user_id: id.alice,
        message_id: id.mention,
        note: 'Look at the sails',
        deliver_at_seconds: 4_000_000_002,
      },
      { user_id: id.alice, message_id: id.direct, deliver_at_seconds: at, is_failed: true },
    ],
    drafts: [
      {
        id: id.draft,
        user_id: id.alice,
        type: 'stream',
        to: [id.deck],
        topic: 'sails',
        content: 'Not yet',
        timestamp: at + 4,
      },
    ],
    saved_snippets: [
      {
        id: id.snippet,
        user_id: id.alice,
        title: 'Sign',
        content: 'Yours, Alice',
        created_at_seconds: at + 5,
      },
    ],
    navigation_views: [
      { id: id.view, user_id: id.alice, fragment: 'inbox', is_pinned: true },
      { user_id: id.alice, fragment: 'narrow/is/dm', is_pinned: false, name: 'Direct' },
    ],
    scheduled_messages: [
      {
        id: id.scheduled,
        user_id: id.alice,
        channel_id: id.deck,
        topic: 'sails',
        content: '*Later*',
        deliver_at_seconds: 4_000_000_000,
      },
      {
        user_id: id.alice,
        to: [id.bob, id.alice],
        content: 'Bob',
        deliver_at_seconds: 4_000_000_001,
      },
    ],
    next_ids: {
      users: base + 500,
      groups: base + 500,
      channels: base + 500,
      messages: base + 1000,
      linkifiers: base + 500,
      drafts: base + 500,
      realm_domains: base + 500,
      profile_fields: base + 500,
      channel_folders: base + 500,
      reminders: base + 500,
    },
  }
  const people = { olga: 0, alice: 0, bob: 0, gus: 0, bot: 0 }
  const credentials = Object.fromEntries(
    Object.keys(people).map((name) => [
      name,
      { email: `${name}@${subdomain}.example`, apiKey: keyOf(`${name}${base}`) },
    ]),
  ) as Record<keyof typeof people, { email: string; apiKey: string }>
  return { id, at, file, credentials }
}
