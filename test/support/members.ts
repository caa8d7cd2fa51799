/** The user object of a member without changes. */
export const plainMember = {
  is_owner: false,
  is_admin: false,
  is_guest: false,
  is_bot: false,
  role: 400,
  timezone: '',
  avatar_version: 1,
} as const
