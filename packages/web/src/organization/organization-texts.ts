/** The texts of the settings of the whole organization. */
export const organizationTexts = {
  title: 'Organization',
  sections: 'Sections',
  tabs: {
    users: 'Users',
    invitations: 'Invitations',
    folders: 'Channel folders',
    emoji: 'Custom emoji',
    linkifiers: 'Linkifiers',
    fields: 'Profile fields',
  },
  editWhat: (what: string) => `Edit: ${what}`,
  deleteWhat: (what: string) => `Delete: ${what}`,
  order: 'Order',
  up: 'Up',
  down: 'Down',
  moveUp: (what: string) => `Move up: ${what}`,
  moveDown: (what: string) => `Move down: ${what}`,
  moved: (what: string, place: number, count: number) => `${what} is now ${place} of ${count}.`,
  notDone: (reason: string) => `That did not work: ${reason}`,
} as const
