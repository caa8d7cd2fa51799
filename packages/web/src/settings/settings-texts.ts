/** The texts of the settings. */
export const settingsTexts = {
  title: 'Settings',
  sections: 'Sections',
  saved: (what: string) => `Saved: ${what}`,
  failed: (what: string, reason: string) => `Not saved: ${what}. ${reason}`,
  deleted: 'Deleted.',
  notDeleted: (reason: string) => `Not deleted. ${reason}`,
  save: 'Save',
  saveWhat: (what: string) => `Save: ${what}`,
  cancel: 'Cancel',
  edit: 'Edit',
  remove: 'Delete',
  tabs: {
    profile: 'Profile',
    notifications: 'Notifications',
    later: 'Later',
    files: 'Files',
    bots: 'Bots',
    display: 'Display',
    groups: 'Groups',
    account: 'Account',
  },
} as const
