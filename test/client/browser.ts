import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'

import { build } from 'esbuild'

import { root } from '../architecture/source-files.js'
import { requireChromium } from '../support/chromium.js'
import { within } from '../support/waiting.js'
import { upgradeOf } from './faulty-proxy.js'

export interface PageOptions {
  /** The cookie that the page sets, with its attributes. @default none */
  readonly cookie?: string
  /** The name by which the browser opens the page. @default 127.0.0.1 */
  readonly hostname?: string
}

/**
 * Runs a function in a page of a browser, whose origin is that of a chat too. Uploads are not read
 * before the page has requested `/go`, nor after `/hold`.
 *
 * @param program source of an async function of the package's exports, which returns JSON.
 * @returns what the function returns.
 */
export async function runInBrowser(
  origin: string,
  program: string,
  { cookie, hostname = '127.0.0.1' }: PageOptions = {},
): Promise<unknown> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['packages/client/src/index.ts'],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  })
  const script = `import * as parley from '/client.js'
    const run = ${program}
    const result = await run(parley).catch((error) => ({ thrown: String(error?.stack ?? error) }))
    await fetch('/result', { method: 'POST', body: JSON.stringify(result) })`
  let reported: (text: string) => void = () => {}
  const result = new Promise<string>((resolve) => (reported = resolve))
  let go = (): void => {}
  let going = new Promise<void>((resolve) => (go = resolve))
  const files: Readonly<Record<string, readonly [type: string, text: string]>> = {
    '/page': ['text/html', '<!doctype html><script type="module" src="/run.js"></script>'],
    '/run.js': ['text/javascript', script],
    '/client.js': ['text/javascript', outputFiles[0]?.text ?? ''],
  }
  const server = createServer((incoming, response) => {
    const file = files[incoming.url ?? '']
    if (file !== undefined) {
      if (cookie !== undefined) response.setHeader('Set-Cookie', cookie)
      response.setHeader('Content-Type', file[0]).end(file[1])
    } else if (incoming.url === '/result') {
      void textOf(incoming).then((text) => reported(text))
      response.end()
    } else if (incoming.url === '/go') {
      go()
      response.end()
    } else if (incoming.url === '/hold') {
      going = new Promise<void>((resolve) => (go = resolve))
      response.end()
    } else {
      const isUpload = incoming.headers['content-type']?.startsWith('multipart/') === true
      void (isUpload ? going : Promise.resolve()).then(() => {
        if (!incoming.destroyed) pass(origin, incoming, response)
      })
    }
  })
  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) =>
    passSocket(origin, incoming, socket, head),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo
  const folder = mkdtempSync(join(tmpdir(), 'parley-browser-'))
  const browser = spawn(
    requireChromium(),
    [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      `--user-data-dir=${folder}`,
      `http://${hostname}:${port}/page`,
    ],
    // A group of its own, so that its child processes can be ended too.
    { stdio: 'ignore', detached: true },
  )
  const closed = once(browser, 'close')
  try {
    return JSON.parse(await within('the result of the page', result, { seconds: 60 }))
  } finally {
    if (browser.pid !== undefined) process.kill(-browser.pid, 'SIGKILL')
    await closed
    server.closeAllConnections()
    server.close()
    // The child processes may write for a moment yet.
    await rm(folder, { recursive: true, force: true, maxRetries: 20 })
  }
}

function passSocket(origin: string, incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
  const upstream = connect(Number(new URL(origin).port), '127.0.0.1')
  upstream.write(upgradeOf(incoming, head))
  socket.on('error', () => {}).on('close', () => upstream.destroy())
  upstream.on('error', () => {}).on('close', () => socket.destroy())
  socket.pipe(upstream).pipe(socket)
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

function pass(origin: string, incoming: IncomingMessage, response: ServerResponse): void {
  const { method, headers } = incoming
  const outgoing = request(`${origin}${incoming.url}`, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  // The page has ended its request, or is gone.
  outgoing.on('error', () => response.destroy())
  incoming.on('error', () => outgoing.destroy())
  response.on('close', () => outgoing.destroy())
  incoming.pipe(outgoing)
}
