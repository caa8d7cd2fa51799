/** The texts of custom emoji. */
export const emojiTexts = {
  title: 'Custom emoji',
  none: 'There are no custom emoji.',
  by: (author: string) => `by ${author}`,
  add: 'Add an emoji',
  name: 'Name',
  nameHint: 'small letters, digits, dashes and underscores',
  choose: 'Choose a picture',
  sizeHint: (mebibytes: number) => `at most ${mebibytes} MB`,
  file: (name: string, size: string) => `${name}, ${size}`,
  noFile: 'Choose a picture first.',
  tooLarge: (name: string, size: string, mebibytes: number) =>
    `${name} is too large: it has ${size}, and pictures may have ${mebibytes} MB at most.`,
  deleteQuestion: (name: string) =>
    `Delete :${name}:? Messages and reactions that have it keep it, and nobody can choose it any more.`,
} as const
