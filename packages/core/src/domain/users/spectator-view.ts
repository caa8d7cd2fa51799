/**
 * The fields of a user that spectators may see besides the address, which depends on the viewer
 * anyway: no time of joining, nothing personal.
 */
export function redactForSpectators<User extends Readonly<Record<string, unknown>>>(
  user: User,
): Omit<User, 'timezone' | 'profile_data'> {
  const { timezone: _timezone, profile_data: _profileData, ...shown } = user
  const joined = String(user['date_joined']).slice(0, 'YYYY-MM-DD'.length)
  return { ...shown, date_joined: joined }
}
