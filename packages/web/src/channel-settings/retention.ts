import type { ChatState } from '@parley/client'

import { channelTexts } from './channel-texts.js'

/** The number that means forever. */
export const forever = -1

function daysText(days: number): string {
  return days === forever ? channelTexts.forever : channelTexts.days(days)
}

/** For how long the organization keeps messages. */
export function usualRetention({ organization }: ChatState): string {
  return daysText(organization.realm_message_retention_days ?? forever)
}

/** For how long a channel keeps messages. */
export function retentionText(days: number | null, state: ChatState): string {
  return days === null ? channelTexts.retentionKinds.inherit(usualRetention(state)) : daysText(days)
}
