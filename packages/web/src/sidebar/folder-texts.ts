/** The texts of folders in the list of channels. */
export const folderTexts = {
  others: 'Other channels',
} as const
