import type { TableName } from '../../storage/index.js'
import { alertWordFile } from '../alert-words/index.js'
import { channelFolderFile } from '../channel-folders/index.js'
import { customEmojiFile } from '../custom-emoji/index.js'
import { draftFile } from '../drafts/index.js'
import type { FileSection } from '../file-sections/index.js'
import { linkifierFile } from '../linkifiers/index.js'
import { mutedUserFile } from '../muted-users/index.js'
import { navigationViewFile } from '../navigation-views/index.js'
import { playgroundFile } from '../playgrounds/index.js'
import { profileFieldFile } from '../profile-fields/index.js'
import { reactionFile } from '../reactions/index.js'
import { realmDomainFile } from '../realm-domains/index.js'
import { reminderFile } from '../reminders/index.js'
import { savedSnippetFile } from '../saved-snippets/index.js'
import { scheduledMessageFile } from '../scheduled-messages/index.js'
import { submessageFile } from '../submessages/index.js'
import { userStatusFile } from '../user-status/index.js'
import { userTopicFile } from '../user-topics/index.js'

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
