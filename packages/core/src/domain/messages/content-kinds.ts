/** The kinds of texts that others will read, as the application's hooks of content name them. */
export type ContentKind =
  /** The Markdown of a message, also of a scheduled one and of an edit. */
  | 'message.content'
  | 'message.topic'
  /** JSON of a poll or another widget, and of users' actions on it. */
  | 'message.widget'
  /** The text of a user's report to the moderators. */
  | 'report.description'
  | 'reminder.note'
  | 'status.text'
  | 'channel.name'
  | 'channel.description'
  | 'channelFolder.name'
  | 'channelFolder.description'
  | 'user.fullName'
  /** A value of a custom profile field; some types of fields have JSON. */
  | 'profile.value'
  | 'profileField.name'
  | 'profileField.hint'
  /** A text in the data of a custom profile field, such as the name of an option. */
  | 'profileField.data'
  | 'group.name'
  | 'group.description'
  | 'emoji.name'
  | 'playground.name'
  | 'organization.name'
  | 'organization.description'
  /** The welcome message of the organization. */
  | 'organization.welcome'
