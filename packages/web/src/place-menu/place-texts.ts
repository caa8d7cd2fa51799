/** The texts of the menu of a conversation. */
export const placeTexts = {
  readTopic: 'Mark the topic as read',
  readChannel: 'Mark the channel as read',
  readAll: 'Mark all messages as read',
  readDirect: 'Mark the conversation as read',
  readAllQuestion: 'Mark all messages of all conversations as read?',
  readNow: 'Mark as read',
  follow: 'Follow the topic',
  unfollow: 'Stop following the topic',
  mute: 'Mute the topic',
  unmute: 'Unmute the topic',
  muteChannel: 'Mute the channel',
  unmuteChannel: 'Unmute the channel',
  resolve: 'Mark as resolved',
  reopen: 'Mark as unresolved',
  about: 'About the channel',
  copyLink: 'Copy link',
  remove: 'Delete the topic',
  removeQuestion: (topic: string) =>
    `Delete the topic “${topic}” with all of its messages, for everyone?`,
  removeNow: 'Delete',
  noMessages: 'There are no messages in this topic.',
} as const
