/** The texts of the administration of users. */
export const userTexts = {
  title: 'Users',
  find: 'Name or address',
  show: 'Which users',
  filters: {
    active: 'Active users',
    deactivated: 'Deactivated users',
    bots: 'Bots',
  },
  none: 'No users were found.',
  shown: (shown: number, all: number) => (shown < all ? `${shown} of ${all}` : `${all}`),
  more: 'Show more',
  botOf: (owner: string) => `Bot of ${owner}`,
  name: 'Name',
  role: 'Role',
  roleLocked: 'Only owners change the role of an owner.',
  deactivate: 'Deactivate',
  reactivate: 'Reactivate',
  deactivateWhom: (name: string) => `Deactivate: ${name}`,
  reactivateWhom: (name: string) => `Reactivate: ${name}`,
  deactivated: (name: string) => `${name} is deactivated.`,
  reactivated: (name: string) => `${name} is active again.`,
  question: (name: string, bots: readonly string[]) =>
    [
      `Deactivate ${name}?`,
      'They are logged out everywhere and cannot log in again. Their messages stay.',
      ...(bots.length === 0 ? [] : [`Their bots are deactivated too: ${bots.join(', ')}.`]),
    ].join(' '),
  botQuestion: (name: string) => `Deactivate the bot ${name}? Its messages stay.`,
  ownQuestion: 'Deactivate your own account? You are logged out and cannot log in again.',
} as const
