/** The texts of the menu of the user that are in no other place. */
export const footTexts = {
  menuOf: (name: string) => `${name}: Menu`,
  people: 'People',
  organization: 'Organization',
} as const
