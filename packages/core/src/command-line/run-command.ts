import { parseArgs } from 'node:util'

import { createChatServer, type ChatServer, type ChatServerOptions } from '../index.js'
import { silentLogger } from '../kernel/logger.js'
import {
  UsageError,
  type Command,
  type CommandInput,
  type CommandOption,
  type CommandResult,
  type LoadOptions,
} from './command.js'
import { organizationCommands } from './organization-commands.js'
import { setupCommands } from './setup-commands.js'
import { userCommands } from './user-commands.js'

/** The output of a command: what it prints, and the status of the process. */
export interface CommandOutput {
  readonly text: string
  readonly errorText: string
  /** 0 done, 1 failed or found a problem, 2 a wrong command line. */
  readonly exitCode: 0 | 1 | 2
}

const commands: Readonly<Record<string, Command>> = {
  ...setupCommands,
  ...organizationCommands,
  ...userCommands,
}

const commonOptions: Readonly<Record<string, CommandOption>> = {
  config: {
    type: 'string',
    value: 'FILE',
    help: 'the module that exports the options of the chat (default chat.config.js)',
  },
  json: { type: 'boolean', help: 'prints the result as JSON' },
  help: { type: 'boolean', help: 'prints this' },
}

/** Runs the command of a command line. */
export async function runCommand(
  words: readonly string[],
  loadOptions: LoadOptions,
): Promise<CommandOutput> {
  const isJson = words.includes('--json')
  try {
    return await run(words, loadOptions)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    const errorText = isJson
      ? `${JSON.stringify({ error: { message, ...(code !== undefined && { code }) } })}\n`
      : `${message}\n`
    return { text: '', errorText, exitCode: error instanceof UsageError ? 2 : 1 }
  }
}

async function run(words: readonly string[], loadOptions: LoadOptions): Promise<CommandOutput> {
  const name = nameIn(words)
  const command = name === undefined ? undefined : commands[name]
  if (name === undefined || command === undefined) {
    if (words.length === 0 || words.includes('--help')) return done(generalHelp())
    throw new UsageError(`There is no command '${words[0]}'; \`parley --help\` lists all`)
  }
  const input = parse(name, command, words.slice(name.split(' ').length))
  if (input.options['help'] === true) return done(helpOf(name, command))
  requireArguments(name, command, input)
  if (command.destroys !== undefined && input.options['yes'] !== true) {
    throw new UsageError(`This deletes ${command.destroys(input)}. Nothing was done; add --yes`)
  }
  const config = input.options['config']
  const options = await loadOptions(typeof config === 'string' ? config : undefined)
  const result = await withChat(options, command, input)
  const text =
    input.options['json'] === true
      ? JSON.stringify(result.data, undefined, 2)
      : result.lines.join('\n')
  return { ...done(text), exitCode: result.isProblem === true ? 1 : 0 }
}

/** The longest name of a command that the words begin with. */
function nameIn([first, second]: readonly string[]): string | undefined {
  return [`${first} ${second}`, first ?? ''].find((name) => Object.hasOwn(commands, name))
}

function parse(name: string, command: Command, words: readonly string[]): CommandInput {
  const options = Object.entries(optionsOf(command))
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      options: Object.fromEntries(options.map(([key, { type }]) => [key, { type }])),
      allowPositionals: true,
    })
    return { arguments: positionals, options: values }
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new UsageError(`${message}; see \`parley ${name} --help\``, { cause })
  }
}

function requireArguments(name: string, command: Command, input: CommandInput): void {
  const expected = command.arguments ?? []
  if (input.arguments.length === expected.length) return
  throw new UsageError(
    `${usageOf(name, command)}; not ${input.arguments.length} arguments. See \`parley ${name} --help\``,
  )
}

function optionsOf({ options, destroys }: Command): Readonly<Record<string, CommandOption>> {
  const yes = { type: 'boolean', help: 'does it; without it, nothing is deleted' } as const
  return { ...options, ...(destroys !== undefined && { yes }), ...commonOptions }
}

/** Runs a command with a chat of the application's options, which never migrates on its own. */
async function withChat(
  options: ChatServerOptions,
  command: Command,
  input: CommandInput,
): Promise<CommandResult> {
  // Lines of a log would be mixed with the result. Errors reach the caller.
  const chat: ChatServer = createChatServer({
    ...options,
    logger: silentLogger,
    migrations: 'check',
  })
  try {
    if (command.isStarted) await chat.start()
    return await command.run(chat, input)
  } finally {
    await chat.close()
  }
}

function done(text: string): CommandOutput {
  return { text: text === '' ? '' : `${text}\n`, errorText: '', exitCode: 0 }
}

function generalHelp(): string {
  const lines = Object.entries(commands).map(
    ([name, { summary }]) => `  ${name.padEnd(26)}${summary}`,
  )
  return [
    'Usage: parley COMMAND [--config chat.config.js] [--json]',
    '',
    ...lines,
    '',
    '`parley COMMAND --help` lists the options of a command.',
  ].join('\n')
}

function helpOf(name: string, command: Command): string {
  const options = Object.entries(optionsOf(command)).map(
    ([key, { value, help }]) => `  ${`--${key} ${value ?? ''}`.padEnd(26)}${help}`,
  )
  return [`Usage: ${usageOf(name, command)}`, '', command.summary, '', 'Options:', ...options].join(
    '\n',
  )
}

function usageOf(name: string, { arguments: names = [] }: Command): string {
  return ['parley', name, ...names, '[options]'].join(' ')
}
