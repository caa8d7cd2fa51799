/** Which users and channels a measurement needs. */
export interface OrganizationPlan {
  /** Users have the ids 1 to this. */
  readonly users: number
  /**
   * Channels have the ids 1 and up; each is subscribed by the users 1 to the number given, or by
   * those that are listed.
   */
  readonly subscribers: readonly (number | readonly number[])[]
}

/** The API key of a user. */
export function apiKeyOf(userId: number): string {
  return `key${userId}`.padEnd(32, 'x')
}

/** The address of a user. */
export function emailOf(userId: number): string {
  return `user${userId}@bench.example`
}

/** The `Authorization` header of a user. */
export function authorizationOf(userId: number): string {
  const credentials = `${emailOf(userId)}:${apiKeyOf(userId)}`
  return `Basic ${Buffer.from(credentials).toString('base64')}`
}

/** Where an organization stands among others in the same database. */
export interface OrganizationPlace {
  readonly subdomain: string
  /** Ids are those of the plan plus these, because they are unique in a database. */
  readonly usersBefore: number
  readonly channelsBefore: number
}

const onlyOne: OrganizationPlace = { subdomain: '', usersBefore: 0, channelsBefore: 0 }

/** The organization file of a plan. */
export function organizationFile(
  { users, subscribers }: OrganizationPlan,
  { subdomain, usersBefore, channelsBefore } = onlyOne,
): unknown {
  return {
    organization: { name: 'Bench', subdomain },
    users: numbers(users).map((number) => ({
      id: usersBefore + number,
      email: emailOf(usersBefore + number),
      full_name: `User ${usersBefore + number}`,
      role: number === 1 ? 100 : 400,
      api_key: apiKeyOf(usersBefore + number),
    })),
    channels: subscribers.map((given, index) => ({
      id: channelsBefore + index + 1,
      name: `channel ${channelsBefore + index + 1}`,
      subscribers: (typeof given === 'number' ? numbers(given) : given).map(
        (number) => usersBefore + number,
      ),
    })),
  }
}

/** 1 to `count`. */
export function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}
