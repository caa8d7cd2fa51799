import type { ParseArgsConfig } from 'node:util'

import type { ChatServer, ChatServerOptions } from '../index.js'

/** A command line that cannot be carried out as it is written. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The result of a command: as JSON, and in lines for people. */
export interface CommandResult {
  readonly data: unknown
  readonly lines: readonly string[]
  /** Whether the command has found something that is to be repaired. */
  readonly isProblem?: boolean
}

/** The values of a command line. */
export interface CommandInput {
  /** What stands where `arguments` of the command say. */
  readonly arguments: readonly string[]
  readonly options: Readonly<Record<string, string | boolean | undefined>>
}

/** An option of a command, by its name without the hyphens. */
export interface CommandOption {
  readonly type: NonNullable<ParseArgsConfig['options']>[string]['type']
  /** The value in the help, such as `FILE`. */
  readonly value?: string
  readonly help: string
}

/** A command, by its words in the table of commands. */
export interface Command {
  readonly summary: string
  /** The names of its arguments, such as `USER`. */
  readonly arguments?: readonly string[]
  readonly options?: Readonly<Record<string, CommandOption>>
  /** The data that are lost for ever; such a command needs `--yes`. */
  readonly destroys?: (input: CommandInput) => string
  /** Whether the chat must be started: its tables are up to date, and its calls work. */
  readonly isStarted: boolean
  run(chat: ChatServer, input: CommandInput): Promise<CommandResult>
}

/** The option as text; undefined if it is absent. */
export function textOption({ options }: CommandInput, name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

/** @throws {UsageError} if the option is absent. */
export function requireOption(input: CommandInput, name: string): string {
  const value = textOption(input, name)
  if (value === undefined) throw new UsageError(`--${name} is missing`)
  return value
}

/** The organization that the command is about; without the option, the only one. */
export function organizationOf(input: CommandInput): { readonly organization?: string } {
  const organization = textOption(input, 'organization')
  return organization === undefined ? {} : { organization }
}

/** The fields of a row, separated by tabs. */
export function row(...fields: readonly (string | number | null)[]): string {
  // A name may contain what would be taken for the next field or line.
  return fields.map((field) => String(field ?? '-').replaceAll(/[\t\r\n]/gu, ' ')).join('\t')
}

/** Loads the options of the chat from the module of the application. */
export type LoadOptions = (path: string | undefined) => Promise<ChatServerOptions>
