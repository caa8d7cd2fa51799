import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import type { ChatServerOptions } from '../index.js'
import { UsageError } from './command.js'

const usualNames = ['chat.config.js', 'chat.config.mjs', 'chat.config.cjs']
const remedy = 'such as `export default { database: { … } }`: the options of createChatServer'

/**
 * Loads the options of the chat from a module of the application, which exports them, or a function
 * that returns them, as `default` or as `options`.
 *
 * @param path by default one of the usual names in the working directory.
 * @throws {UsageError} if there is no such module, or it exports something else.
 */
export async function loadOptions(path: string | undefined): Promise<ChatServerOptions> {
  const file = await findFile(path === undefined ? usualNames : [path])
  if (file === undefined) {
    throw new UsageError(
      path === undefined
        ? `There is no ${usualNames.join(', ')} here; name the module that exports the options of the chat: --config FILE`
        : `There is no file ${resolve(path)}; --config names the module that exports the options of the chat`,
    )
  }
  const exported = optionsIn(await importModule(file))
  const options: unknown = typeof exported === 'function' ? await exported() : exported
  if (isOptions(options)) return options
  throw new UsageError(`${file} must export an object with \`database\`, ${remedy}`)
}

async function findFile(names: readonly string[]): Promise<string | undefined> {
  for (const name of names) {
    try {
      await access(name)
      return resolve(name)
    } catch {
      // The next name.
    }
  }
  return undefined
}

async function importModule(file: string): Promise<unknown> {
  try {
    const loaded: unknown = await import(pathToFileURL(file).href)
    return loaded
  } catch (cause) {
    throw new UsageError(`${file} cannot be loaded: ${messageOf(cause)}`, { cause })
  }
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof SyntaxError && /import|export/.test(message)) {
    return `${message}; a file with \`import\` and \`export\` is named .mjs, or its package.json has "type": "module"`
  }
  return /\.[cm]?tsx?"? for /.test(message)
    ? `${message}; compile it first, or run node --import tsx node_modules/@parley/core/dist/command-line/parley.js`
    : message
}

/** `default` or `options` of a module; CommonJS has its exports as `default`. */
function optionsIn(module: unknown): unknown {
  const exported = propertyOf(module, 'default') ?? module
  return propertyOf(exported, 'options') ?? exported
}

function propertyOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined
}

function isOptions(value: unknown): value is ChatServerOptions {
  return typeof value === 'object' && value !== null && 'database' in value
}
