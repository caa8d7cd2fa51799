import type { Client } from './client.js'

/** The users of a test's organization, each as a client. */
export interface People {
  /** Owner, who may also create users and change addresses. */
  readonly olga: Client
  /** Administrator. */
  readonly adam: Client
  /** Moderator. */
  readonly mona: Client
  /** Members. */
  readonly alice: Client
  readonly bob: Client
  readonly carol: Client
  /** Guest, subscribed to `general` only. */
  readonly gus: Client
  /** Alice's generic bot. */
  readonly bot: Client
  /** A member whose account is deactivated. */
  readonly dora: Client
}

/** The channels of a test's organization, by id. */
export interface Channels {
  /** Public, all users are subscribed, also guest and bot. A default channel. */
  readonly general: number
  /** Public: alice, bob. */
  readonly design: number
  /** Public, without subscribers. */
  readonly empty: number
  /** Private, history shared with new subscribers: alice. */
  readonly secret: number
  /** Private, history not shared: alice, bob. */
  readonly vault: number
  /** Web-public: alice. */
  readonly window: number
  /** Public and archived: alice. */
  readonly attic: number
}

export interface Cast {
  readonly subdomain: string
  readonly people: People
  readonly channels: Channels
  /** A client without credentials. */
  readonly nobody: Client
  /** An id that no item of the organization has. */
  readonly unknownId: number
  /** The organization file. */
  readonly file: Record<string, unknown> & {
    readonly users: object[]
    readonly bots: object[]
    readonly channels: { id: number; name: string; subscribers: number[] }[]
  }
}

/** Differences from the usual organization. */
export interface CastOptions {
  /** Settings of the organization, by name. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** Personal settings, by user. */
  readonly userSettings?: Partial<Record<keyof People, Readonly<Record<string, unknown>>>>
  /** The users who have the password of {@link passwordOf}; hashing one takes a while. */
  readonly passwords?: readonly (keyof People)[]
  /** More sections of the organization file, for the given ids. */
  readonly more?: (ids: {
    people: Record<keyof People, number>
    channels: Channels
    base: number
  }) => Record<string, unknown>
}

const roles: Readonly<Record<Exclude<keyof People, 'bot'>, number>> = {
  olga: 100,
  adam: 200,
  mona: 300,
  alice: 400,
  bob: 400,
  carol: 400,
  gus: 600,
  dora: 400,
}

/** The password of a user in tests. */
export const passwordOf = (name: string): string => `correct horse ${name}`

/** Describes an organization whose ids start at `base`. */
export function castOf(
  base: number,
  subdomain: string,
  options: CastOptions,
  makeClient: (
    credentials: { email: string; apiKey: string } | undefined,
    id: number,
    name: string,
  ) => Client,
): Cast {
  const names = [...Object.keys(roles), 'bot'] as (keyof People)[]
  const ids = Object.fromEntries(names.map((name, index) => [name, base + index])) as Record<
    keyof People,
    number
  >
  const emailOf = (name: string): string => `${name}@${subdomain}.example`
  const apiKeyOf = (name: string): string =>
    `${name}${subdomain.replaceAll('-', '')}`.padEnd(32, 'x').slice(0, 32)
  const people = Object.fromEntries(
    names.map((name) => [
      name,
      makeClient({ email: emailOf(name), apiKey: apiKeyOf(name) }, ids[name], name),
    ]),
  ) as unknown as People
  const channelNames = ['general', 'design', 'empty', 'secret', 'vault', 'window', 'attic'] as const
  const channels = Object.fromEntries(
    channelNames.map((name, index) => [name, base + index]),
  ) as unknown as Channels
  const everyone = names.map((name) => ids[name])
  const subscribers: Readonly<Record<keyof Channels, number[]>> = {
    general: everyone,
    design: [ids.alice, ids.bob],
    empty: [],
    secret: [ids.alice],
    vault: [ids.alice, ids.bob],
    window: [ids.alice],
    attic: [ids.alice],
  }
  const privacy: Partial<Record<keyof Channels, string>> = {
    secret: 'private',
    vault: 'private_protected_history',
    window: 'web_public',
  }
  const file = {
    organization: { name: 'Test', subdomain, settings: options.settings ?? {} },
    users: names
      .filter((name): name is Exclude<keyof People, 'bot'> => name !== 'bot')
      .map((name) => ({
        id: ids[name],
        email: emailOf(name),
        full_name: `${name[0]?.toUpperCase()}${name.slice(1)} Test`,
        role: roles[name],
        api_key: apiKeyOf(name),
        is_active: name !== 'dora',
        joined_at_seconds: 1_700_000_000,
        ...(name === 'olga' ? { can_create_users: true, can_change_user_emails: true } : {}),
        settings: options.userSettings?.[name] ?? {},
        ...(options.passwords?.includes(name) === true ? { password: passwordOf(name) } : {}),
      })),
    bots: [
      {
        id: ids.bot,
        email: emailOf('bot'),
        full_name: 'Bot Test',
        owner_id: ids.alice,
        api_key: apiKeyOf('bot'),
      },
    ],
    channels: channelNames.map((name) => ({
      id: channels[name],
      name,
      subscribers: subscribers[name],
      ...(privacy[name] === undefined ? {} : { privacy: privacy[name] }),
      ...(name === 'general' ? { is_default: true } : {}),
      ...(name === 'attic' ? { is_archived: true } : {}),
    })),
    ...options.more?.({ people: ids, channels, base }),
  }
  return {
    subdomain,
    people,
    channels,
    nobody: makeClient(undefined, 0, 'nobody'),
    unknownId: 2_000_000_000,
    file,
  }
}
