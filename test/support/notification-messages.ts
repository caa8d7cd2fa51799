import type { Client } from './client.js'
import { hearing } from './channels.js'
import type { FedEvent } from './event-feed.js'

/** The ids of the server's own bots. */
export const bots = { notification: 2_147_483_001, welcome: 2_147_483_002 } as const

/** A message of a bot, with the properties that cases check. */
export interface ReceivedNotificationMessage {
  /** `channel > topic`, or `direct`. */
  readonly place: string
  readonly content: string
  readonly flags: readonly string[]
}

/** The messages of bots to each user while `act` runs, in order, as Markdown. */
export async function notificationMessagesOf<Name extends string>(
  people: Readonly<Record<Name, Client>>,
  act: () => Promise<unknown>,
): Promise<Record<Name, ReceivedNotificationMessage[]>> {
  const received = await hearing(people, act, {
    event_types: ['message'],
    apply_markdown: false,
    client_capabilities: { notification_settings_null: true, empty_topic_name: true },
  })
  const messages = {} as Record<Name, ReceivedNotificationMessage[]>
  for (const name of Object.keys(people) as Name[]) {
    messages[name] = received[name].filter(isOfBot).map(notificationMessageOf)
  }
  return messages
}

/** The silent mention of one of the usual users. */
export function silent({ name, id }: Client): string {
  return `@_**${name[0]?.toUpperCase()}${name.slice(1)} Test|${id}**`
}

export function isOfBot({ message }: FedEvent): boolean {
  return Object.values<number>(bots).includes(message?.sender_id)
}

function notificationMessageOf({ message, flags }: FedEvent): ReceivedNotificationMessage {
  const place =
    message.type === 'stream' ? `${message.display_recipient} > ${message.subject}` : 'direct'
  return { place, content: message.content, flags }
}
