import type { TableName } from '../../../storage/index.js'
import { alertWordFile } from '../../content/alert-words/index.js'
import { channelFolderFile } from '../../channels/channel-folders/index.js'
import { customEmojiFile } from '../../content/emoji/index.js'
import { draftFile } from '../../personal/drafts/index.js'
import type { FileSection } from '../../../resource-definition/file-section.js'
import { linkifierFile } from '../../content/linkifiers/index.js'
import { mutedUserFile } from '../../personal/muted-users/index.js'
import { navigationViewFile } from '../../personal/navigation-views/index.js'
import { playgroundFile } from '../../content/playgrounds/index.js'
import { profileFieldFile } from '../../accounts/profile-fields/index.js'
import { reactionFile } from '../../messages/reactions/index.js'
import { realmDomainFile } from '../../organization/domains/index.js'
import { reminderFile } from '../../personal/reminders/index.js'
import { savedSnippetFile } from '../../personal/saved-snippets/index.js'
import { scheduledMessageFile } from '../../personal/scheduled-messages/index.js'
import { submessageFile } from '../../messages/submessages/index.js'
import { userStatusFile } from '../../personal/user-status/index.js'
import { userTopicFile } from '../../channels/topics/index.js'

/**
 * The lists of an organization file that resources check and store by themselves. Users, groups,
 * channels and messages are stored before them. To add a resource, write a `*-file-section.ts` for
 * it and add a line here.
 */
export const fileSections: readonly FileSection[] = [
  realmDomainFile,
  profileFieldFile,
  channelFolderFile,
  customEmojiFile,
  linkifierFile,
  playgroundFile,
  alertWordFile,
  mutedUserFile,
  userTopicFile,
  userStatusFile,
  reactionFile,
  submessageFile,
  draftFile,
  savedSnippetFile,
  navigationViewFile,
  scheduledMessageFile,
  reminderFile,
]

/**
 * The objects whose ids a file may prescribe: their key in `next_ids`, their lists, and their
 * table.
 */
export const numberedLists: readonly {
  readonly key: string
  readonly keys: readonly string[]
  readonly table: TableName
}[] = [
  { key: 'users', keys: ['users', 'bots'], table: 'users' },
  { key: 'groups', keys: ['groups'], table: 'user_groups' },
  { key: 'channels', keys: ['channels'], table: 'channels' },
  { key: 'messages', keys: ['messages'], table: 'messages' },
  ...fileSections.flatMap(({ key, table }) =>
    table === undefined ? [] : [{ key, keys: [key], table }],
  ),
]
