/** The texts of the list of people. */
export const peopleTexts = {
  title: 'People',
  find: 'Name, address or status',
  show: 'Show',
  filters: {
    all: 'Everyone',
    present: 'Who is there now',
    leaders: 'Owners and administrators',
    moderators: 'Moderators',
    members: 'Members',
    guests: 'Guests',
    bots: 'Bots',
  },
  nobody: 'Nobody was found.',
  shown: (shown: number, all: number) => (shown < all ? `${shown} of ${all}` : `${all}`),
  more: 'Show more',
} as const
