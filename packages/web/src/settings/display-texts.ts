/** The texts of the settings of the display and of privacy. */
export const displayTexts = {
  display: 'Display',
  displaySwitches: {
    twenty_four_hour_time: 'Show times with 24 hours',
    starred_message_counts: 'Show the number of starred messages',
    web_left_sidebar_show_channel_folders: 'Show the folders of channels',
    enable_drafts_synchronization: 'Share drafts with your other devices',
  },
  colors: 'Colors',
  colorSchemes: [
    [1, 'as in the browser or the system'],
    [2, 'dark'],
    [3, 'light'],
  ],
  privacy: 'What others see',
  privacySwitches: {
    presence_enabled: 'Show others when you are active',
    send_read_receipts: 'Show others what you have read',
    send_private_typing_notifications: 'Show that you are typing in direct messages',
    send_stream_typing_notifications: 'Show that you are typing in channels',
  },
  address: 'Who sees your e-mail address',
  addressVisibilities: [
    [1, 'everyone'],
    [2, 'members'],
    [5, 'moderators'],
    [3, 'administrators'],
    [4, 'nobody'],
  ],
  others: 'Other clients of the chat',
  othersHint: 'These settings are saved for you; this page does not use them.',
  othersSwitches: {
    enter_sends: 'The Enter key sends messages',
    translate_emoticons: 'Turn emoticons such as :) into emoji',
    display_emoji_reaction_users: 'Show the names of who has reacted',
    high_contrast_mode: 'High contrast',
    receives_typing_notifications: 'Show when others are typing',
  },
} as const
