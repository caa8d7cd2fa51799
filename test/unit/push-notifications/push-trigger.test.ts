import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { MessageFlag } from '../../../packages/core/src/domain/messages/message-flags.js'
import { defaultUserSettings } from '../../../packages/core/src/domain/users/user-settings.js'
import type { NotifiedRecipient } from '../../../packages/core/src/resources/notifications/notified-recipients/index.js'
import { pushTrigger } from '../../../packages/core/src/resources/notifications/push/push-trigger.js'

const subscription = {
  isMuted: false,
  pushNotifications: null,
  emailNotifications: null,
  wildcardMentionsNotify: null,
}
const settings = { ...defaultUserSettings, enable_online_push_notifications: false }
const ordinary: NotifiedRecipient = {
  flags: 0,
  settings,
  isDirect: false,
  isOnline: false,
  subscription,
  topicPolicy: 0,
}
const wildcard = MessageFlag.stream_wildcard_mentioned
const muted = { ...subscription, isMuted: true }

const rows: [what: string, more: Partial<NotifiedRecipient>, expected: string | undefined][] = [
  ['an ordinary channel message', {}, undefined],
  ['a direct message', { isDirect: true }, 'direct_message'],
  ['a direct message that is read', { isDirect: true, flags: MessageFlag.read }, undefined],
  ['a direct message while online', { isDirect: true, isOnline: true }, undefined],
  [
    'a direct message while online, wanted all the same',
    { isDirect: true, isOnline: true, settings: defaultUserSettings },
    'direct_message',
  ],
  [
    'a direct message that is not wanted',
    { isDirect: true, settings: { ...settings, enable_offline_push_notifications: false } },
    undefined,
  ],
  [
    'a mention in a muted channel',
    { flags: MessageFlag.mentioned, subscription: muted },
    'mentioned',
  ],
  [
    'a mention that is wanted neither online nor offline',
    {
      flags: MessageFlag.mentioned,
      settings: { ...settings, enable_offline_push_notifications: false },
      subscription: { ...subscription, pushNotifications: true },
    },
    undefined,
  ],
  [
    'a mention that is wanted online only, in a channel of which everything is wanted',
    {
      flags: MessageFlag.mentioned,
      settings: { ...defaultUserSettings, enable_offline_push_notifications: false },
      subscription: { ...subscription, pushNotifications: true },
    },
    'stream',
  ],
  ['a wildcard mention', { flags: wildcard }, 'stream_wildcard_mentioned'],
  [
    'a mention of the topic',
    { flags: wildcard | MessageFlag.topic_wildcard_mentioned },
    'topic_wildcard_mentioned',
  ],
  ['a wildcard mention in a muted channel', { flags: wildcard, subscription: muted }, undefined],
  ['a wildcard mention in a muted topic', { flags: wildcard, topicPolicy: 1 }, undefined],
  [
    'a wildcard mention in an unmuted topic of a muted channel',
    { flags: wildcard, subscription: muted, topicPolicy: 2 },
    'stream_wildcard_mentioned',
  ],
  [
    'a wildcard mention that the channel leaves out',
    { flags: wildcard, subscription: { ...subscription, wildcardMentionsNotify: false } },
    undefined,
  ],
  ['a followed topic', { topicPolicy: 3 }, 'followed_topic'],
  [
    'a followed topic that is not wanted',
    { topicPolicy: 3, settings: { ...settings, enable_followed_topic_push_notifications: false } },
    undefined,
  ],
  ['a wanted channel', { subscription: { ...subscription, pushNotifications: true } }, 'stream'],
  [
    'a wanted channel that is muted',
    { subscription: { ...muted, pushNotifications: true } },
    undefined,
  ],
  [
    'a channel where all are wanted',
    { settings: { ...settings, enable_stream_push_notifications: true } },
    'stream',
  ],
  [
    'a channel that is left out where all are wanted',
    {
      settings: { ...settings, enable_stream_push_notifications: true },
      subscription: { ...subscription, pushNotifications: false },
    },
    undefined,
  ],
]

describe('the trigger of a notification', () => {
  for (const [what, more, expected] of rows) {
    it(`is ${expected ?? 'absent'} for ${what}`, () => {
      assert.equal(pushTrigger({ ...ordinary, ...more }), expected)
    })
  }
})
