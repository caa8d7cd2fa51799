import type { ChatServer } from '../index.js'
import {
  organizationOf,
  row,
  textOption,
  UsageError,
  type Command,
  type CommandInput,
  type CommandOption,
} from './command.js'
import { writeFileSafely } from './output-file.js'

type User = { readonly externalId: string } | { readonly userId: number }

const organization: CommandOption = {
  type: 'string',
  value: 'SUBDOMAIN',
  help: 'where the user is, if there are several organizations',
}
const ofUser = {
  organization,
  'chat-id': { type: 'boolean', help: "USER is the chat's id, not that of your product" },
} as const satisfies Command['options']

const pageSize = 1000

/** The commands about the users of one organization. */
export const userCommands: Readonly<Record<string, Command>> = {
  users: {
    summary: "Lists the users: the chat's id, your product's id, role, state, name and address.",
    options: { organization },
    isStarted: true,
    async run(chat, input) {
      const { members } = await chat.asSystem(organizationOf(input)).api.getUsers()
      const externalIds = new Map<number, string>()
      for (let start = 0; start < members.length; start += pageSize) {
        const ids = members.slice(start, start + pageSize).map(({ user_id }) => user_id)
        const found = await chat.users.externalIdOf(ids, organizationOf(input))
        for (const [id, externalId] of found) externalIds.set(id, externalId)
      }
      const users = members.map(
        ({ user_id, role, is_active, is_bot, full_name, delivery_email, email }) => ({
          id: user_id,
          externalId: externalIds.get(user_id) ?? null,
          role,
          isActive: is_active,
          isBot: is_bot,
          fullName: full_name,
          email: delivery_email ?? email,
        }),
      )
      const lines = users.map(({ id, externalId, role, isActive, fullName, email }) =>
        row(id, externalId, role, isActive ? 'active' : 'deactivated', fullName, email),
      )
      return { data: users, lines }
    },
  },
  'users deactivate': {
    summary: 'Deactivates a user and the bots of the user, and ends their sessions.',
    arguments: ['USER'],
    options: ofUser,
    isStarted: true,
    run: async (chat, input) => {
      await chat.users.deactivate(await requireUser(chat, input), organizationOf(input))
      return { data: {}, lines: ['Deactivated.'] }
    },
  },
  'users reactivate': {
    summary: 'Reactivates a deactivated user.',
    arguments: ['USER'],
    options: ofUser,
    isStarted: true,
    run: async (chat, input) => {
      await chat.users.reactivate(await requireUser(chat, input), organizationOf(input))
      return { data: {}, lines: ['Reactivated.'] }
    },
  },
  'users export': {
    summary:
      'Writes the data that the chat has about a user into a file, one JSON record in a line.',
    arguments: ['USER', 'FILE'],
    options: {
      ...ofUser,
      'file-contents': { type: 'boolean', help: "also the bytes of the user's files" },
      yes: { type: 'boolean', help: 'replaces a file that exists' },
    },
    isStarted: true,
    async run(chat, input) {
      const [, path = ''] = input.arguments
      const fileContents = input.options['file-contents'] === true
      const user = await requireUser(chat, input)
      const records = chat.users.export(user, { ...organizationOf(input), fileContents })
      const bytes = await writeFileSafely(path, records, input.options['yes'] === true)
      return { data: { file: path, bytes }, lines: [`Wrote ${bytes} bytes.`] }
    },
  },
  sessions: {
    summary: 'Ends the tokens and open connections of a user, in every process.',
    arguments: ['USER'],
    options: {
      ...ofUser,
      'api-keys': { type: 'boolean', help: "also makes the user's API key invalid" },
    },
    isStarted: true,
    async run(chat, input) {
      const apiKeys = input.options['api-keys'] === true
      const user = await requireUser(chat, input)
      await chat.users.endSessions(user, { ...organizationOf(input), apiKeys })
      return { data: {}, lines: ['Ended.'] }
    },
  },
  erase: {
    summary: 'Erases a user: the personal data, and with `--messages delete` the messages.',
    arguments: ['USER'],
    options: {
      ...ofUser,
      messages: { type: 'string', value: 'keep|delete', help: 'keep is the default' },
    },
    destroys: ({ arguments: [user] }) => `the data of the user ${user}, finally`,
    isStarted: true,
    async run(chat, input) {
      const messages = textOption(input, 'messages') ?? 'keep'
      if (messages !== 'keep' && messages !== 'delete') {
        throw new UsageError('--messages takes keep or delete')
      }
      const user = await requireUser(chat, input)
      const erased = await chat.users.erase(user, { ...organizationOf(input), messages })
      const count = erased?.deletedMessages ?? 0
      return { data: erased ?? null, lines: [`Erased; ${count} messages were deleted.`] }
    },
  },
}

/** @throws {Error} if there is no such user: the calls themselves do nothing then. */
async function requireUser(chat: ChatServer, input: CommandInput): Promise<User> {
  const [given = ''] = input.arguments
  if (input.options['chat-id'] === true) {
    const userId = Number(given)
    if (!Number.isSafeInteger(userId)) throw new UsageError('USER must be a number with --chat-id')
    await chat.asSystem(organizationOf(input)).api.getUser({ user_id: userId })
    return { userId }
  }
  if ((await chat.users.find(given, organizationOf(input))) !== undefined) {
    return { externalId: given }
  }
  throw new Error(
    `No user has the id '${given}' in your product; \`parley users\` lists them, and --chat-id takes ids of the chat`,
  )
}
