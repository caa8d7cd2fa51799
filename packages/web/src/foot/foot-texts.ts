/** The texts of the buttons below the list of conversations that have no texts of their own. */
export const footTexts = {
  people: 'People',
  organization: 'Organization',
} as const
