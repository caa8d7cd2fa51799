/** The texts of the user's own files. */
export const fileTexts = {
  title: 'Your files',
  about: 'What you have uploaded. A file can be read where a message links to it.',
  none: 'You have uploaded no files.',
  loading: 'Loading…',
  notLoaded: (reason: string) => `The files could not be loaded. ${reason}`,
  find: 'Name of a file',
  shown: (shown: number, all: number) => (shown < all ? `${shown} of ${all}` : `${all}`),
  more: 'Show more',
  used: (used: string) => `All files of the organization together: ${used}.`,
  usedOf: (used: string, quota: string) =>
    `All files of the organization together: ${used} of ${quota}.`,
  details: (size: string, time: string) => `${size} · ${time}`,
  unused: 'No message links to it.',
  usedIn: 'In messages of:',
  moreMessages: (count: number) =>
    count === 1 ? 'and one more message' : `and ${count} more messages`,
  openMessage: (name: string, time: string) => `Message with ${name} of ${time}`,
  noMessage: (reason: string) => `The message cannot be shown. ${reason}`,
  question: (name: string, messages: number) =>
    messages === 0
      ? `Delete “${name}”?`
      : `Delete “${name}”? ${messages === 1 ? 'The message that links to it stays' : `The ${messages} messages that link to it stay`}, and the link leads nowhere.`,
} as const
