import { foldCase } from '../texts/folding.js'

/** The accounts that post messages of the server itself. */
export const systemBots = {
  notification: {
    id: 2_147_483_001,
    fullName: 'Notification Bot',
    mailbox: 'notification-bot',
  },
  welcome: { id: 2_147_483_002, fullName: 'Welcome Bot', mailbox: 'welcome-bot' },
  emailGateway: { id: 2_147_483_003, fullName: 'Email Gateway', mailbox: 'emailgateway' },
} as const
export type SystemBotName = keyof typeof systemBots

/** The highest id of a user; higher ids are reserved for the server. */
export const maxUserId = 2_147_483_000

/** @param domain the domain of the bots' addresses. */
export function isSystemBotAddress(email: string, domain: string): boolean {
  const key = foldCase(email.trim())
  return Object.values(systemBots).some(({ mailbox }) => foldCase(`${mailbox}@${domain}`) === key)
}

/** Whether the id is that of a system bot. */
export function isSystemBotId(id: number): boolean {
  return id > maxUserId
}
