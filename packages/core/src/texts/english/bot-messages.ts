/**
 * The messages of the notification bot and of the welcome bot, in Markdown, and texts in them.
 * Links, mentions, headings and quote blocks are values or parts of the texts; they look the same
 * in every language.
 */
export const botMessageTexts = {
  CHANNEL_EVENTS_TOPIC: 'channel events',
  NEW_CHANNELS_TOPIC: 'new channels',
  SIGNUPS_TOPIC: 'signups',
  REPORTS_TOPIC: '{name} moderation requests',
  CHANNEL_UNARCHIVED_MESSAGE: 'Channel {channel} has been unarchived.',
  CHANNEL_ARCHIVED_MESSAGE: 'Channel {channel} has been archived.',
  CHANNEL_PRIVACY_CHANGED_MESSAGE:
    '{user} changed the [access permissions](/help/channel-permissions) for this channel from **{old}** to **{new}**.',
  CHANNEL_RENAMED_MESSAGE: '{user} renamed channel **{old}** to **{new}**.',
  CHANNEL_DESCRIPTION_CHANGED_MESSAGE:
    '{user} changed the description for this channel.\n\n* **Old description:**\n{old_fence} quote\n{old}\n{old_fence}\n* **New description:**\n{new_fence} quote\n{new}\n{new_fence}',
  CHANNEL_POSTING_CHANGED_MESSAGE:
    '{user} changed the [posting permissions](/help/channel-posting-policy) for this channel:\n\n* **Old**: {old}\n* **New**: {new}',
  CHANNEL_CREATED_MESSAGE:
    '**{privacy}** channel created by {user}. **Description:**\n{fence} quote\n{description}\n{fence}',
  CHANNEL_WITHOUT_DESCRIPTION: '*No description.*',
  CHANNEL_WEB_PUBLIC: 'Web-public',
  CHANNEL_PUBLIC: 'Public',
  CHANNEL_PRIVATE_SHARED: 'Private, shared history',
  CHANNEL_PRIVATE_PROTECTED: 'Private, protected history',
  CHANNEL_ANNOUNCED_MESSAGE: '{user} created a new channel {channel}.',
  CHANNELS_ANNOUNCED_MESSAGE: '{user} created the following channels: {channels}.',
  CHANNEL_SUBSCRIBED_MESSAGE: '{user} subscribed you to {channel}.',
  CHANNELS_SUBSCRIBED_MESSAGE: '{user} subscribed you to the following channels:\n\n{channels}',
  GROUP_ADDED_MESSAGE: '{user} added you to the group {group}.',
  GROUP_REMOVED_MESSAGE: '{user} removed you from the group {group}.',
  TOPIC_RESOLVED_MESSAGE: '{user} has marked this topic as resolved.',
  TOPIC_UNRESOLVED_MESSAGE: '{user} has marked this topic as unresolved.',
  TOPIC_ARRIVED_MESSAGE: 'This topic was moved here from {place} by {user}.',
  MESSAGE_ARRIVED_MESSAGE: '[A message]({url}) was moved here from {place} by {user}.',
  MESSAGES_ARRIVED_MESSAGE: '{count} messages were moved here from {place} by {user}.',
  TOPIC_DEPARTED_MESSAGE: 'This topic was moved to {place} by {user}.',
  MESSAGE_DEPARTED_MESSAGE: 'A message was moved from this topic to {place} by {user}.',
  MESSAGES_DEPARTED_MESSAGE: '{count} messages were moved from this topic to {place} by {user}.',
  PRIVATE_CHANNEL_PLACE: 'a private channel',
  WELCOME_MESSAGE:
    'Hello, and welcome to **{organization}**! 👋 This is a direct message from me, Welcome Bot.\n\nConversations are grouped by channel and topic, so that you can follow what matters to you and leave the rest for later. Messages that you want to find again can be starred, as this one is.',
  USERS_JOINED_MESSAGE: '{users} joined this organization.',
  USERS_LIST: '{users} and {last}',
  USERS_ONE_OTHER: '1 other',
  USERS_MANY_OTHERS: '{count} others',
  INVITATION_ACCEPTED_MESSAGE: '{user} accepted your invitation to join Zulip!',
  DATA_EXPORT_COMPLETE_MESSAGE:
    'Your data export is complete. [View and download exports](/#organization/data-exports-admin).',
  SCHEDULED_MESSAGE_FAILED_MESSAGE:
    'The message you scheduled for {time} was not sent because of the following error:\n\n> {reason}\n\n[View scheduled messages](#scheduled)',
  SCHEDULED_MESSAGE_LATE: 'Message could not be sent at the scheduled time.',
  REMINDER_OF_CHANNEL_MESSAGE: 'You requested a reminder for {message}.',
  REMINDER_OF_DIRECT_MESSAGE: 'You requested a reminder for the following direct message.',
  REMINDER_OF_UNREADABLE_MESSAGE:
    'You requested a reminder for a message that was deleted or that you can no longer read.',
  REMINDER_NOTE: ' Note:\n\n> {note}',
  REMINDER_QUOTE: '{user} [said]({url}):\n',
  REMINDER_POLL: '{user} [sent]({url}) a poll.',
  REMINDER_TODO: '{user} [sent]({url}) a to-do list.',
  REMINDER_MESSAGE: '{user} [sent]({url}) a message.',
  REPORT_OF_CHANNEL_MESSAGE:
    '{reporter} reported {message} sent by {user}.\n\n- Reason: **{reason}**\n\n',
  REPORT_OF_DIRECT_MESSAGE:
    '{reporter} reported a direct message sent by {user}.\n\n- Reason: **{reason}**\n\n',
  REPORT_QUOTE: 'Message sent by {user}',
  REPORT_SPAM: 'Spam',
  REPORT_HARASSMENT: 'Harassment',
  REPORT_INAPPROPRIATE: 'Inappropriate content',
  REPORT_NORMS: 'Violates community norms',
  REPORT_OTHER: 'Other reason',
  PRODUCT_CHANNEL: '{product}',
  PRODUCT_CHANNEL_DESCRIPTION: 'Questions and discussion about using {product}.',
  SANDBOX_CHANNEL: 'sandbox',
  SANDBOX_CHANNEL_DESCRIPTION: 'Experiment with {product} here. :test_tube:',
  GENERAL_CHANNEL: 'general',
  GENERAL_CHANNEL_DESCRIPTION: 'For team-wide conversations',
  MOVING_MESSAGES_TOPIC: 'moving messages',
  MOVING_MESSAGES_MESSAGE:
    'This message was written under another topic at first. Users who may move messages can give a message, or a whole topic, another place.',
  MOVING_TOPICS_TOPIC: 'moving topics',
  MOVING_TOPICS_MESSAGE:
    'When a conversation drifts, move what came later to a topic of its own, and both stay easy to follow.',
  PRODUCT_QUESTIONS_TOPIC: 'welcome to {product}!',
  PRODUCT_QUESTIONS_MESSAGE: 'Here is the place for questions about {product}. Ask away!',
  FIRST_CONVERSATION_TOPIC: 'start a conversation',
  FIRST_CONVERSATION_MESSAGE:
    'To start a conversation, choose a channel, give it a topic, and write.',
  EXPERIMENTS_TOPIC: 'experiments',
  EXPERIMENTS_MESSAGE:
    'This is the place to try things out. :test_tube: Nobody minds what happens here.',
  GREETINGS_TOPIC: 'greetings',
  GREETINGS_MESSAGE: 'Say hello to everybody! :wave:',
} as const
