/** Which users and channels a measurement needs. */
export interface OrganizationPlan {
  /** Users have the ids 1 to this. */
  readonly users: number
  /** Channels have the ids 1 and up; each is subscribed by the users 1 to the number given. */
  readonly subscribers: readonly number[]
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

/** The organization file of a plan. */
export function organizationFile({ users, subscribers }: OrganizationPlan): unknown {
  return {
    organization: { name: 'Bench', subdomain: '' },
    users: numbers(users).map((id) => ({
      id,
      email: emailOf(id),
      full_name: `User ${id}`,
      role: id === 1 ? 100 : 400,
      api_key: apiKeyOf(id),
    })),
    channels: subscribers.map((count, index) => ({
      id: index + 1,
      name: `channel ${index + 1}`,
      subscribers: numbers(count),
    })),
  }
}

/** 1 to `count`. */
export function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}
