import type { Client } from './client.js'
import { hearing } from './channels.js'
import type { FedEvent } from './event-feed.js'

/** The ids of the server's own bots. */
export const bots = { notification: 2_147_483_001, welcome: 2_147_483_002 } as const

/** A message of a bot, with the properties that cases check. */
export interface ReceivedNotice {
  /** `channel > topic`, or `direct`. */
  readonly place: string
  readonly content: string
  readonly flags: readonly string[]
}

/** The messages of bots to each user while `act` runs, in order, as Markdown. */
export async function noticesOf<Name extends string>(
  people: Readonly<Record<Name, Client>>,
  act: () => Promise<unknown>,
): Promise<Record<Name, ReceivedNotice[]>> {
  const received = await hearing(people, act, {
    event_types: ['message'],
    apply_markdown: false,
    client_capabilities: { notification_settings_null: true, empty_topic_name: true },
  })
  const notices = {} as Record<Name, ReceivedNotice[]>
  for (const name of Object.keys(people) as Name[]) {
    notices[name] = received[name].filter(isOfBot).map(noticeOf)
  }
  return notices
}

/** The silent mention of one of the usual users. */
export function silent({ name, id }: Client): string {
  return `@_**${name[0]?.toUpperCase()}${name.slice(1)} Test|${id}**`
}

export function isOfBot({ message }: FedEvent): boolean {
  return Object.values<number>(bots).includes(message?.sender_id)
}

function noticeOf({ message, flags }: FedEvent): ReceivedNotice {
  const place =
    message.type === 'stream' ? `${message.display_recipient} > ${message.subject}` : 'direct'
  return { place, content: message.content, flags }
}
