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

/** Subjects and lines of mails. */
export const mailTexts = {
  MAIL_SUBJECT_HIDDEN: 'New messages',
  MAIL_SUBJECT_DIRECT: 'Direct messages with {names}',
  MAIL_SUBJECT_YOURSELF: 'Direct messages with yourself',
  MAIL_MISSED_ONE: 'You have missed a message in {organization}.',
  MAIL_MISSED_MANY: 'You have missed {count} messages in {organization}.',
  MAIL_OMITTED_ONE: '1 earlier message is not in this mail.',
  MAIL_OMITTED_MANY: '{count} earlier messages are not in this mail.',
  MAIL_QUOTE_HEAD: '{sender}, {time}:',
  MAIL_OPEN: 'Open the conversation',
  MAIL_OPEN_AT: 'Open the conversation: {url}',
  MAIL_REPLY: 'To answer, reply to this mail.',
  MAIL_STOP: 'Stop these mails',
  MAIL_STOP_AT: 'To stop these mails, open {url}',
  MAIL_REASON_FOLLOWED: 'You get this mail because you follow the topic.',
  MAIL_REASON_CHANNEL:
    'You get this mail because you have turned on mails for the messages of this channel.',
  MAIL_REASON_DIRECT: 'You get this mail because you were offline when you got direct messages.',
  MAIL_REASON_MENTIONED: 'You get this mail because you were offline when you were mentioned.',
  MAIL_REASON_DIGEST:
    'You get this mail, once a week at most, because you were away for some days.',
  MAIL_DIGEST_SUBJECT: 'What you have missed in {organization}',
  MAIL_DIGEST_COUNT: 'Unread messages in your channels in {organization}: {count}.',
  MAIL_DIGEST_WRITERS: 'Unread messages: {count}, from {names}',
  MAIL_DIGEST_WRITERS_MORE: 'Unread messages: {count}, from {names} and others: {more}',
  MAIL_DIGEST_CHANNELS: 'New channels:',
  MAIL_DIGEST_OPEN: 'Open the chat',
  MAIL_DIGEST_OPEN_AT: 'Open the chat: {url}',
  MAIL_INVITATION: 'You are invited to join {organization}',
  MAIL_INVITATION_BY: '{inviter} has invited you to join {organization}',
  MAIL_INVITATION_INTRO: 'You are invited to join {organization}, a team chat.',
  MAIL_INVITATION_INTRO_BY: '{inviter} has invited you to join {organization}, a team chat.',
  MAIL_INVITATION_OPEN: 'To accept the invitation, open:',
  MAIL_INVITATION_IGNORE: 'If you do not want to join, ignore this mail.',
  MAIL_LINK_EXPIRES: 'The link can be used until {time}.',
  MAIL_SIGN_UP: 'Confirm your email address for {organization}',
  MAIL_SIGN_UP_INTRO: 'Somebody, probably you, wants to join {organization} with this address.',
  MAIL_SIGN_UP_OPEN: 'To create your account, open:',
  MAIL_SIGN_UP_IGNORE: 'If it was not you, ignore this mail; no account is created then.',
  MAIL_ACCOUNT_EXISTS: 'You already have an account in {organization}',
  MAIL_ACCOUNT_EXISTS_INTRO:
    'Somebody, probably you, wanted to join {organization} with this address.',
  MAIL_ACCOUNT_EXISTS_HINT:
    'The address already has an account there: sign in with it. If you cannot, ask an\nadministrator of the organization.',
  MAIL_IGNORE: 'If it was not you, ignore this mail.',
  MAIL_NEW_ADDRESS: 'Confirm your new email address for {organization}',
  MAIL_NEW_ADDRESS_INTRO:
    'Somebody, probably you, wants to use this address in {organization} from now on.',
  MAIL_NEW_ADDRESS_OPEN: 'To confirm this within a day, open:',
  MAIL_NEW_ADDRESS_IGNORE: 'If it was not you, ignore this mail; nothing changes then.',
  MAIL_ADDRESS_CHANGED: 'Your email address for {organization} was changed',
  MAIL_ADDRESS_CHANGED_INTRO: 'Your address in {organization} is now {email}.',
  MAIL_ADDRESS_CHANGED_HINT:
    'If it was not you who changed it, tell an administrator of the organization.',
  INCOMING_MAIL_FILES_LEFT: '{count} files of the mail were not stored.',
  INCOMING_MAIL_FROM: 'From: {sender}',
  INCOMING_MAIL_NO_SUBJECT: 'Mail without a subject',
  INCOMING_MAIL_NO_TEXT: '(no text)',
} as const

/** Texts of the pages that the server itself shows in browsers. */
export const pageTexts = {
  PAGE_REFUSED: 'That did not work',
  PAGE_FAILED: 'Something went wrong. Please try again in a moment.',
  PAGE_TOO_MANY_ATTEMPTS: 'There were too many attempts. Please try again later.',
  PAGE_ADDRESS: 'Confirm your new email address',
  PAGE_ADDRESS_QUESTION: 'Use {email} from now on?',
  PAGE_ADDRESS_CONFIRM: 'Confirm',
  PAGE_ADDRESS_CHANGED: 'Your email address was changed',
  PAGE_ADDRESS_NOW: 'Your address is now {email}. You can close this page.',
  PAGE_MAILS: 'Stop mails',
  PAGE_MAILS_ABOUT_MENTIONS: 'Get no more mails about direct messages and mentions that you miss?',
  PAGE_MAILS_ABOUT_TOPICS: 'Get no more mails about messages in topics that you follow?',
  PAGE_MAILS_ABOUT_CHANNEL: 'Get no more mails about messages of this channel?',
  PAGE_MAILS_STOPPED: 'Mails stopped',
  PAGE_MAILS_STOPPED_MENTIONS:
    'You get no more mails about direct messages and mentions that you miss. You can turn them on again in your settings, and close this page.',
  PAGE_MAILS_STOPPED_TOPICS:
    'You get no more mails about messages in topics that you follow. You can turn them on again in your settings, and close this page.',
  PAGE_MAILS_STOPPED_CHANNEL:
    'You get no more mails about messages of this channel. You can turn them on again in your settings, and close this page.',
  PAGE_MAILS_ABOUT_DIGESTS: 'Get no more digests, which say what you have missed?',
  PAGE_MAILS_STOPPED_DIGESTS:
    'You get no more digests. You can turn them on again in your settings, and close this page.',
  PAGE_SIGN_ON_QUESTION: 'Sign in to the app on this device as {name}?',
  PAGE_SIGN_ON_HINT: 'Continue only if you have just asked the app to sign in.',
  PAGE_SIGN_ON_CONTINUE: 'Continue',
  PAGE_JOIN: 'Join {organization}',
  PAGE_JOIN_INVITED: '{inviter} has invited you to join {organization}.',
  PAGE_JOIN_ENTER_ADDRESS:
    'Enter your email address. You will get a mail with a link to create your account.',
  PAGE_JOIN_SEND: 'Send the mail',
  PAGE_JOIN_MAIL: 'Check your mail',
  PAGE_JOIN_MAIL_SENT: 'A mail was sent to {email}. Open the link in it to continue.',
  PAGE_JOIN_CREATE: 'Create account',
  PAGE_JOIN_DONE: 'Welcome to {organization}',
  PAGE_JOIN_CREATED: 'Your account was created. Sign in with {email} and your password.',
  PAGE_JOIN_CONTINUE: 'Continue',
  PAGE_JOIN_EMAIL: 'Email address',
  PAGE_JOIN_NAME: 'Full name',
  PAGE_JOIN_PASSWORD: 'Password',
  PAGE_JOIN_PASSWORD_HINT: 'At least {count} characters, and hard to guess.',
  PAGE_JOIN_ACCEPT: 'I accept the {terms}',
  PAGE_JOIN_TERMS: 'terms',
  PAGE_JOIN_REFUSED: 'You cannot join now',
  PAGE_JOIN_OTHER_SITE: 'Open the link of your invitation again, and fill in the form there.',
} as const

/** Texts of push notifications. */
export const pushTexts = {
  PUSH_CONTENT_HIDDEN: 'New message',
  PUSH_FROM: '{sender}:',
  PUSH_MENTIONED_YOU: '{sender} mentioned you:',
  PUSH_MENTIONED_GROUP: '{sender} mentioned @{group}:',
  PUSH_MENTIONED_EVERYONE: '{sender} mentioned everyone:',
} as const
