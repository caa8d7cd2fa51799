import { randomInt } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

import { inject } from 'tsyringe'

import { contentTypeOf } from '../../../domain/files/content-types.js'
import { type ImageFacts, imageFactsOf, imageHeadBytes } from '../../../domain/files/images.js'
import { withoutInvalidCharacters } from '../../../domain/texts/invalid-characters.js'
import type { Actor } from '../../../domain/users/actor.js'
import { badRequest, type ChatError } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { randomToken } from '../../../kernel/random.js'
import { type ServerFacts, ServerFactsToken } from '../../../kernel/server-facts.js'
import { AttachmentService, fileKeyOf, pathIdOf, thumbnailKeyOf } from '../attachments/index.js'
import { StoredFiles } from '../file-storage/index.js'
import { hasTooManyPixels } from '../images/index.js'
import { maxPreviewedBytes, type Thumbnail, Thumbnailer } from './thumbnailer.js'

/** Used if nothing is left of a name. */
const defaultName = 'uploaded-file'
const maxNameLength = 150

/**
 * Decodes a file's name as its uploader sent it: clients may have percent-encoded it for the
 * header. Characters that no text may have are left out.
 */
export function decodeFileName(name: string): string {
  return withoutInvalidCharacters(percentDecoded(name)) || defaultName
}

function percentDecoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Converts a file's name for use in its URL. */
export function sanitizeFileName(name: string): string {
  const sanitized = name
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}_\s.-]/gu, '')
    .trim()
    .replace(/[-\s]+/g, '-')
  if (['', '.', '..'].includes(sanitized)) return defaultName
  const characters = [...sanitized]
  if (characters.length <= maxNameLength) return sanitized
  const extension = /\.[^.]{1,20}$/u.exec(sanitized)?.[0] ?? ''
  return characters.slice(0, maxNameLength - extension.length).join('') + extension
}

/** A file that was written but is not an attachment yet. */
export interface ReceivedUpload {
  readonly organizationId: number
  readonly folder: string
  readonly fileName: string
  readonly contentType: string
  readonly byteCount: number
  /** The first bytes. */
  readonly head: Buffer
}

/** The URL and the name of an upload. */
export interface UploadAddress {
  readonly uri: string
  readonly url: string
  readonly filename: string
}

/** Receives uploaded files. */
@perServer()
export class UploadService {
  constructor(
    @inject(AttachmentService) private readonly attachments: AttachmentService,
    @inject(StoredFiles) private readonly files: StoredFiles,
    @inject(Thumbnailer) private readonly thumbnailer: Thumbnailer,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  get maxFileBytes(): number {
    return this.facts.maxUploadMebibytes * 1024 * 1024
  }

  tooLarge(): ChatError {
    return badRequest('UPLOAD_TOO_LARGE', { limit: this.facts.maxUploadMebibytes })
  }

  /** Writes a file to storage while it is received. */
  async receive(
    organizationId: number,
    file: { readonly fileName: string; readonly contentType: string; readonly content: Readable },
  ): Promise<ReceivedUpload> {
    const folder = `${randomInt(256).toString(16)}/${randomToken(18)}`
    const seen: { byteCount: number; head: Buffer[] } = { byteCount: 0, head: [] }
    const content: AsyncIterable<Buffer> = file.content
    await this.files.write(
      organizationId,
      fileKeyOf(organizationId, folder),
      (async function* () {
        for await (const chunk of content) {
          if (seen.byteCount < imageHeadBytes) seen.head.push(chunk)
          seen.byteCount += chunk.length
          yield chunk
        }
      })(),
    )
    const head = Buffer.concat(seen.head)
    const { fileName, contentType } = file
    return { organizationId, folder, fileName, contentType, byteCount: seen.byteCount, head }
  }

  /** Deletes a received file. */
  async abandon({ organizationId, folder }: ReceivedUpload): Promise<void> {
    await this.files.abandon(organizationId, fileKeyOf(organizationId, folder))
  }

  /**
   * Stores the received file as an attachment of `actor`.
   *
   * @param partCount the number of files in the request.
   * @throws {ChatError} `BAD_REQUEST` unless there was exactly one.
   * @throws {ChatError} `REALM_UPLOAD_QUOTA` if the file exceeds the organization's quota.
   */
  async upload(
    actor: Actor,
    received: ReceivedUpload | undefined,
    partCount: number,
  ): Promise<UploadAddress> {
    if (received === undefined) throw badRequest('UPLOAD_MISSING')
    const { organizationId, folder } = received
    const keys = [fileKeyOf(organizationId, folder)]
    try {
      if (partCount > 1) throw badRequest('UPLOAD_NOT_SINGLE')
      const name = decodeFileName(received.fileName)
      const path_name = sanitizeFileName(name)
      const { image, thumbnails } = await this.#preview(received)
      for (const { format, bytes } of thumbnails) {
        const key = thumbnailKeyOf(organizationId, folder, format.name)
        await this.files.write(organizationId, key, Readable.from([bytes]))
        keys.push(key)
      }
      await this.attachments.add(
        actor,
        {
          folder,
          path_name,
          name,
          content_type: image?.contentType ?? contentTypeOf(name, received.contentType),
          size_bytes: received.byteCount,
          image_width: image?.widthPixels ?? null,
          image_height: image?.heightPixels ?? null,
          is_animated: image?.isAnimated ?? false,
        },
        keys,
      )
      const pathId = pathIdOf({ organization_id: organizationId, folder, path_name })
      const url = this.facts.address.file(`/user_uploads/${pathId}`)
      return { uri: url, url, filename: name }
    } catch (error) {
      for (const key of keys) await this.files.abandon(organizationId, key)
      throw error
    }
  }

  /** The properties and thumbnails of an image; empty for other files. */
  async #preview(
    received: ReceivedUpload,
  ): Promise<{ image: ImageFacts | undefined; thumbnails: readonly Thumbnail[] }> {
    const image = imageFactsOf(received.head)
    const none = { image: undefined, thumbnails: [] }
    if (image === undefined || hasTooManyPixels(image)) return none
    if (received.byteCount > maxPreviewedBytes) return none
    const key = fileKeyOf(received.organizationId, received.folder)
    const thumbnails = await this.thumbnailer.make(async () => {
      const content = await this.files.read(key)
      if (content === undefined) throw new Error('A file that was just written is not there')
      return buffer(content)
    }, image.isAnimated)
    return thumbnails === undefined ? none : { image, thumbnails }
  }
}
