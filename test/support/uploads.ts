import assert from 'node:assert/strict'
import { request } from 'node:http'
import { crc32, deflateSync } from 'node:zlib'

import type { Answer, Client } from './client.js'
import { requireDocumented } from './documented-answers.js'
import type { HostCase } from './host.js'

/** A file that a test uploads. */
export interface TestFile {
  readonly name?: string
  readonly type?: string
  readonly bytes?: Buffer | string
}

const boundary = 'parley-test-boundary'

/** A `multipart/form-data` body of these files. */
export function multipartOf(
  files: readonly TestFile[],
  fields: Readonly<Record<string, string>> = {},
): Buffer {
  const parts = files.flatMap(({ name = 'notes.txt', type = 'text/plain', bytes = 'leaf' }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`,
    ),
    Buffer.from(bytes as Buffer),
    Buffer.from('\r\n'),
  ])
  for (const [name, value] of Object.entries(fields)) {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`
    parts.push(Buffer.from(`${head}${value}\r\n`))
  }
  return Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)])
}

/** Headers of a body of {@link multipartOf}. */
export function multipartHeaders(body: Buffer): Record<string, string> {
  return {
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': String(body.length),
  }
}

/** Sends files and other fields to `path`, in one request. */
export function sendFiles(
  client: Client,
  path: string,
  files: readonly TestFile[],
  { method = 'POST', fields = {} }: { method?: string; fields?: Record<string, string> } = {},
): Promise<Answer> {
  const body = multipartOf(files, fields)
  return client.send(method, path, body, multipartHeaders(body))
}

/** Uploads a file. @returns its address. */
export async function upload(client: Client, file: TestFile = {}): Promise<string> {
  const answer = await sendFiles(client, '/user_uploads', [file])
  if (answer.status !== 200) throw new Error(`Uploading failed: ${answer.text}`)
  return answer.body.url as string
}

/** The response of a server at a path outside the API. */
export interface RootAnswer {
  readonly status: number
  readonly headers: Answer['headers']
  readonly bytes: Buffer
  readonly text: string
}

/** Reads a path of the server itself, outside the API, as `client`. */
export async function readRoot(
  client: Client,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<RootAnswer> {
  const { origin, agent, subdomain } = client.endpoint
  const answer = await new Promise<RootAnswer>((resolve, reject) => {
    const outgoing = request(
      origin + encodeURI(path),
      {
        method,
        agent,
        headers: { 'x-organization': subdomain, ...client.authorization(), ...headers },
      },
      (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () => {
          const bytes = Buffer.concat(chunks)
          const { statusCode = 0, headers: received } = incoming
          resolve({ status: statusCode, headers: received, bytes, text: bytes.toString('utf8') })
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end()
  })
  requireDocumented(method, path, answer)
  return answer
}

/** A black PNG of this size. */
export function pngOf(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.alloc((width + 1) * height))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(data.length, 0)
  chunk.set(body, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  return chunk
}

/** A GIF of two frames, one pixel each. */
export const movingGif = Buffer.from(
  '47494638396101000100800000ffffff000000' +
    '21ff0b4e45545343415045322e3003010000002' +
    '1f904000a0000002c000000000100010000020244010021f904000a0000002c00000000010001000002024c01003b',
  'hex',
)

/** Markdown that links to an uploaded file. */
export const link = (url: string): string => `[file](${url})`

/** The path id of an uploaded file in its address. */
export const pathIdOf = (url: string): string => url.replace('/user_uploads/', '')

/** An uploaded file in the list of its owner. */
export interface ListedAttachment {
  readonly id: number
  readonly path_id: string
  readonly messages: readonly { readonly id: number; readonly date_sent: number }[]
}

/** A file of the client, as it is listed. */
export async function listed(client: Client, url: string): Promise<ListedAttachment | undefined> {
  const { body } = await client.get('/attachments')
  return (body.attachments as ListedAttachment[]).find((one) => one.path_id === pathIdOf(url))
}

const upkeepSeconds = 600

/** Runs a maintenance round, and waits until it has ended. */
export async function upkeep(at: HostCase): Promise<void> {
  const isOver = at.clock.next('set', upkeepSeconds)
  at.clock.fire(upkeepSeconds)
  await isOver
}

/** Asserts that a path does not exist, whatever other paths return. */
export async function assertNothingAt(client: Client, path: string): Promise<void> {
  const { status, text } = await readRoot(client, path)
  const body: unknown = JSON.parse(text)
  assert.deepEqual(
    [status, body],
    [404, { result: 'error', msg: 'Not Found', code: 'BAD_REQUEST' }],
    path,
  )
}
