import type { ChatApi } from '@parley/core'

import type { HostCase } from './host.js'
import { pixel } from './rich-organization.js'

/** Words that only this person has written, or that identify them. */
export const personalWords = [
  'Zephyrina',
  'Quux',
  'zephyrina.quux@product.example',
  'ext-zephyrina-77',
  'xylophone',
] as const

export const person = {
  externalId: 'ext-zephyrina-77',
  email: 'zephyrina.quux@product.example',
  fullName: 'Zephyrina Quux',
}

/** A user who has used everything that the chat has. */
export interface RichPerson {
  readonly id: number
  readonly api: ChatApi
  /** Messages of the person in `general`, directly to Alice, and to themselves. */
  readonly messages: { readonly channel: number; readonly direct: number; readonly own: number }
  /** Alice's message, to which the person has reacted and added a vote. */
  readonly alicesMessage: number
  /** Alice's message that mentions the person. */
  readonly mention: number
  /** Paths of a file that a message links to, and of one that nothing links to. */
  readonly files: { readonly linked: string; readonly unlinked: string }
}

/** Lets a new person of the product leave rows in every table that has some of users. */
export async function richPerson({
  host,
  subdomain,
  channels,
  people,
  clock,
}: HostCase): Promise<RichPerson> {
  const here = { organization: subdomain }
  await host.chat.users.sync([person], here)
  const user = host.chat.as({ externalId: person.externalId, ...here })
  const { api } = user
  const id = await user.id()
  const alice = host.chat.as({ userId: people.alice.id, ...here }).api
  const system = host.chat.asSystem(here).api
  const later = clock.seconds + 100_000

  const upload = async (name: string): Promise<string> => {
    const content = Buffer.from('xylophone notes')
    const { url } = await api.uploadFile({ file: { name, contentType: 'text/plain', content } })
    return url
  }
  const files = {
    linked: await upload('xylophone-linked.txt'),
    unlinked: await upload('xylophone-alone.txt'),
  }
  const write = async (to: number | readonly number[], content: string): Promise<number> => {
    const place =
      typeof to === 'number'
        ? ({ type: 'channel', to, topic: 'xylophone topic' } as const)
        : ({ type: 'direct', to } as const)
    return (await api.sendMessage({ ...place, content })).id
  }
  const messages = {
    channel: await write(channels.general, `My xylophone plays [notes](${files.linked})`),
    direct: await write([people.alice.id], 'A xylophone for you'),
    own: await write([id], 'Buy a xylophone'),
  }
  await api.updateMessage({ message_id: messages.channel, content: 'Xylophone, edited' })
  await api.updateMessage({
    message_id: messages.channel,
    content: `Xylophone, edited [notes](${files.linked})`,
  })
  const said = await alice.sendMessage({
    type: 'channel',
    to: channels.general,
    topic: 'others',
    content: '/poll Tea?',
  })
  const mention = await alice.sendMessage({
    type: 'channel',
    to: channels.general,
    topic: 'others',
    content: `Welcome, @**${person.fullName}** and @_**${person.fullName}|${id}**`,
  })
  const alicesMessage = said.id
  await api.addReaction({ message_id: alicesMessage, emoji_name: 'tada' })
  const vote = { type: 'new_option', idx: 1, option: 'xylophone lessons' }
  await api.addSubmessage({
    message_id: alicesMessage,
    msg_type: 'widget',
    content: JSON.stringify(vote),
  })
  await api.updateMessageFlags({ messages: [alicesMessage], op: 'add', flag: 'starred' })

  const fields = (await system.getCustomProfileFields()).custom_fields
  const fieldId =
    fields[0]?.id ?? (await system.createCustomProfileField({ name: 'Hobby', field_type: 1 })).id
  await api.updateProfileData({ data: [{ id: fieldId, value: 'Playing the xylophone' }] })
  await api.uploadAvatar({ file: { name: 'me.png', content: Buffer.from(pixel, 'base64') } })
  await api.updateSettings({ timezone: 'Europe/Berlin', twenty_four_hour_time: true })
  await api.updateStatus({ status_text: 'At the xylophone', emoji_name: 'tada' })
  await api.updatePresence({ status: 'active' })
  await api.addAlertWords({ alert_words: ['xylophone'] })
  await api.muteUser({ muted_user_id: people.bob.id })
  await api.createDrafts({
    drafts: [{ type: 'private', to: [people.bob.id], topic: '', content: 'Dear xylophone' }],
  })
  await api.createSavedSnippet({ title: 'xylophone', content: 'My xylophone' })
  await api.addNavigationView({ fragment: 'narrow/search/xylophone', is_pinned: true, name: 'x' })
  await api.createScheduledMessage({
    type: 'channel',
    to: channels.general,
    topic: 'xylophone plans',
    content: 'A xylophone concert',
    scheduled_delivery_timestamp: later,
  })
  await api.createMessageReminder({
    message_id: alicesMessage,
    note: 'xylophone',
    scheduled_delivery_timestamp: later,
  })
  await alice.updateUserTopic({
    stream_id: channels.general,
    topic: 'xylophone topic',
    visibility_policy: 3,
  })
  await api.updateUserTopic({ stream_id: channels.general, topic: 'others', visibility_policy: 3 })
  await api.addFcmToken({ token: 'xylophone-token' })
  await api.createUserGroup({ name: `players ${id}`, description: 'A band', members: [id] })
  await api.createBot({ full_name: `Metronome ${id}`, short_name: `tick-${id}`, bot_type: 1 })
  await api.registerQueue({})
  return { id, api, messages, alicesMessage, mention: mention.id, files }
}
