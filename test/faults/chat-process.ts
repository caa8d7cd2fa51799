import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'

import type { ChatServerOptions } from '@parley/core'

import { compiledProgram } from '../support/programs.js'
import { within } from '../support/waiting.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const startSeconds = 60

/**
 * Starts a chat server in a separate process, which uses the real time.
 *
 * @param options serializable as JSON.
 * @param mailPort of an SMTP server on loopback that gets the mails; 0 for no mails.
 * @param rateLimitPort of a `RateLimitServer` that counts for the process; 0 for no limits.
 */
export async function startChatProcess(
  options: ChatServerOptions,
  rateLimitPort = 0,
  mailPort = 0,
): Promise<{ child: ChildProcess; origin: string; output: () => string }> {
  const child = spawn(
    process.execPath,
    [
      '--enable-source-maps',
      compiledProgram('test/faults/chat-server.ts'),
      JSON.stringify(options),
      String(rateLimitPort),
      String(mailPort),
    ],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let output = ''
  const listening = new Promise<string>((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const found = /listens on (http:\/\/\S+)\n/.exec(output)
      if (found?.[1] !== undefined) resolve(found[1])
    })
    child.once('exit', () => reject(new Error('The server ended')))
  })
  const origin = await within('a server process to listen', listening, {
    instead: () => output,
    seconds: startSeconds,
  })
  return { child, origin, output: () => output }
}
