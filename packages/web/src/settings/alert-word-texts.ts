/** The texts of alert words. */
export const alertWordTexts = {
  title: 'Alert words',
  about:
    'You are notified of messages with one of these words or phrases in conversations that you have not muted, and they are marked in the text.',
  none: 'There are no alert words.',
  word: 'New word or phrase',
  add: 'Add',
  addWhat: 'Add the alert word',
  added: (word: string) => `Added: ${word}`,
  notAdded: (word: string, reason: string) => `Not added: ${word}. ${reason}`,
  known: (word: string) => `${word} is an alert word already.`,
  remove: 'Remove',
  removeWhat: (word: string) => `Remove the alert word “${word}”`,
  removed: (word: string) => `Removed: ${word}`,
  notRemoved: (word: string, reason: string) => `Not removed: ${word}. ${reason}`,
} as const
