import { Readable } from 'node:stream'

import { inject } from 'tsyringe'

import { requestedBytes } from '../../../domain/files/byte-ranges.js'
import { isShownInPlace } from '../../../domain/files/content-types.js'
import { thumbnailFormats } from '../../../domain/files/thumbnails.js'
import type { Actor } from '../../../domain/users/actor.js'
import { badRequest, ChatError } from '../../../errors/index.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import type { SecretBox } from '../../../kernel/secret-box.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { Database, type OrganizationScope } from '../../../storage/index.js'
import { Spectators } from '../../access/spectators/index.js'
import { ServerSecretToken, type Secrets } from '../../people/credentials/index.js'
import {
  AttachmentAccess,
  decodePathId,
  fileKeyOf,
  pathIdOf,
  thumbnailKeyOf,
  type AttachmentRow,
} from '../attachments/index.js'
import { StoredFiles } from '../file-storage/index.js'

/** Validity of a URL that needs no authentication. */
const temporarySeconds = 60
/** Validity of such URLs for the pictures of a page. */
export const pageSeconds = 600

/** A file or a part of one, with its response headers. */
export interface ServedFile {
  readonly content: Readable
  readonly contentType: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/** The requesting user and the organization of the request. */
export interface FileVisitor {
  readonly organization: { readonly id: number; readonly isDeactivated: boolean }
  readonly actor: Actor | undefined
  /** The `Range` header. */
  readonly range: string | undefined
}

/** An upload, or one of its thumbnails. */
interface NamedFile {
  /** The part of the upload's address after `/user_uploads/`. */
  readonly pathId: string
  /** The thumbnail; undefined for the upload itself. */
  readonly formatName?: string
}

/** Serves uploaded files to users who can access them. */
@perServer()
export class FileReading {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(AttachmentAccess) private readonly access: AttachmentAccess,
    @inject(StoredFiles) private readonly files: StoredFiles,
    @inject(Spectators) private readonly spectators: Spectators,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(ServerSecretToken) private readonly secrets: Secrets,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /**
   * The uploaded file itself.
   *
   * @throws {ChatError} `ROUTE_NOT_FOUND` if there is no such file; `FILE_NOT_ACCESSIBLE` if the
   *   visitor cannot access it.
   */
  async file(visitor: FileVisitor, pathId: string): Promise<ServedFile> {
    return this.#serve(await this.#require(visitor, pathId), visitor.range)
  }

  /**
   * A thumbnail of an image, or the image itself if it has no thumbnail.
   *
   * @throws {ChatError} as {@link file} does.
   */
  async thumbnail(visitor: FileVisitor, path: string): Promise<ServedFile> {
    const { pathId, formatName = '' } = thumbnailIn(path)
    const row = await this.#require(visitor, pathId)
    return this.#serveThumbnail(row, formatName, visitor.range)
  }

  async #serveThumbnail(
    row: AttachmentRow,
    formatName: string,
    range: string | undefined,
  ): Promise<ServedFile> {
    const format = thumbnailFormats.find(({ name }) => name === formatName)
    if (format === undefined || row.image_width === null || (format.animated && !row.is_animated)) {
      throw notFound()
    }
    const key = thumbnailKeyOf(row.organization_id, row.folder, format.name)
    const content = await this.files.read(key)
    if (content === undefined) return this.#serve(row, range)
    return {
      content,
      contentType: `image/${format.format}`,
      status: 200,
      headers: { 'Cache-Control': privately },
    }
  }

  /**
   * A URL at which anyone can read the file for a minute.
   *
   * @throws {ChatError} as {@link file} does.
   */
  async temporaryUrl(visitor: FileVisitor, pathId: string): Promise<string> {
    const row = await this.#require(visitor, pathId)
    return this.#sign(row, undefined, temporarySeconds)
  }

  /**
   * URLs at which anyone can read files and thumbnails for {@link pageSeconds}.
   *
   * @param paths as in the HTML of messages.
   * @returns the URLs by path, without those of files that `actor` cannot access.
   */
  async temporaryUrls(actor: Actor, paths: readonly string[]): Promise<Map<string, string>> {
    const named = paths.flatMap((path) => {
      const file = uploadIn(path, this.facts.address.basePath)
      return file === undefined || isUnknown(file) ? [] : [{ path, ...file }]
    })
    const scope = this.database.read(actor.organizationId)
    const rows = await this.access.listReadable(
      scope,
      actor,
      named.map(({ pathId }) => pathId),
    )
    const byPathId = new Map(rows.map((row) => [pathIdOf(row), row]))
    return new Map(
      named.flatMap(({ path, pathId, formatName }) => {
        const row = byPathId.get(decodePathId(pathId))
        return row === undefined ? [] : [[path, this.#sign(row, formatName, pageSeconds)]]
      }),
    )
  }

  #sign(row: AttachmentRow, formatName: string | undefined, seconds: number): string {
    const validUntil = nowSeconds(this.clock) + seconds
    const token = this.#box().seal(JSON.stringify([pathIdOf(row), validUntil, formatName]))
    const name = formatName ?? row.path_name
    return this.facts.address.file(`/user_uploads/temporary/${token}/${name}`)
  }

  /**
   * The file of a URL from {@link temporaryUrl} or {@link temporaryUrls}.
   *
   * @throws {ChatError} `BAD_REQUEST` if the URL is forged or has expired; `ROUTE_NOT_FOUND` if the
   *   file was deleted.
   */
  async temporary(
    { organization, range }: FileVisitor,
    token: string,
    fileName: string,
  ): Promise<ServedFile> {
    const opened = this.#openToken(token)
    const isOwn = opened?.pathId.startsWith(`${organization.id}/`) === true
    if (!isOwn || organization.isDeactivated) throw badRequest('FILE_TOKEN_INVALID')
    const { pathId, formatName } = opened
    const row = await this.access.findByPathId(this.database.read(organization.id), pathId)
    if (row === undefined) throw notFound()
    if (fileName !== (formatName ?? row.path_name)) throw badRequest('FILE_NAME_INVALID')
    return formatName === undefined
      ? this.#serve(row, range)
      : this.#serveThumbnail(row, formatName, range)
  }

  async #require({ organization, actor }: FileVisitor, pathId: string): Promise<AttachmentRow> {
    const scope: OrganizationScope = this.database.read(organization.id)
    const row = organization.isDeactivated
      ? undefined
      : await this.access.findByPathId(scope, pathId)
    if (row === undefined) throw notFound()
    const isAdmitted = actor !== undefined || (await this.spectators.admits(organization.id))
    if (!isAdmitted || !(await this.access.mayRead(scope, actor, row))) {
      throw new ChatError('FILE_NOT_ACCESSIBLE')
    }
    return row
  }

  async #serve(row: AttachmentRow, range: string | undefined): Promise<ServedFile> {
    const part = requestedBytes(range, row.size_bytes)
    const { content_type } = row
    const contentType = content_type === 'text/plain' ? 'text/plain; charset=utf-8' : content_type
    if (part === 'unsatisfiable') {
      const headers = { 'Content-Range': `bytes */${row.size_bytes}` }
      return { content: Readable.from([]), contentType, status: 416, headers }
    }
    const content = await this.files.read(fileKeyOf(row.organization_id, row.folder), part)
    if (content === undefined) throw notFound()
    const { start, end } = part ?? { start: 0, end: row.size_bytes }
    return {
      content,
      contentType,
      status: part === undefined ? 200 : 206,
      headers: {
        'Cache-Control': privately,
        'Accept-Ranges': 'bytes',
        'Content-Length': String(end - start),
        'Content-Disposition': dispositionOf(row),
        'Content-Security-Policy': policy,
        ...(part && { 'Content-Range': `bytes ${start}-${end - 1}/${row.size_bytes}` }),
      },
    }
  }

  #openToken(token: string): NamedFile | undefined {
    try {
      const text = this.#box().open(token)
      // A token that opens was sealed by `#sign`.
      const [pathId, validUntil, formatName] = JSON.parse(text) as [string, number, string | null]
      if (validUntil <= nowSeconds(this.clock)) return undefined
      return { pathId, ...(formatName !== null && { formatName }) }
    } catch {
      // The URL was forged, or encrypted with another secret.
      return undefined
    }
  }

  #box(): SecretBox {
    return this.secrets.box('temporary addresses of files')
  }
}

/** The upload, or its thumbnail, that a path of the HTML of messages names. */
function uploadIn(path: string, basePath: string): NamedFile | undefined {
  if (!path.startsWith(`${basePath}/`)) return undefined
  const found = /^\/user_uploads\/(thumbnail\/)?(\d+\/.+)$/.exec(path.slice(basePath.length))
  if (found === null) return undefined
  const [, thumbnail, rest = ''] = found
  return thumbnail === undefined ? { pathId: rest } : thumbnailIn(rest)
}

function isUnknown({ formatName }: NamedFile): boolean {
  return formatName !== undefined && !thumbnailFormats.some(({ name }) => name === formatName)
}

/** @param path the part of the address after `/user_uploads/thumbnail/`. */
function thumbnailIn(path: string): NamedFile {
  const end = path.lastIndexOf('/')
  return { pathId: path.slice(0, end), formatName: path.slice(end + 1) }
}

/** Another file gets another URL, but access to it can change: only private caches may store it. */
const privately = 'private, max-age=3600'

function notFound(): ChatError {
  return new ChatError('ROUTE_NOT_FOUND')
}

/**
 * RFC 6266. The name in the URL needs no escaping inside quotes, except characters beyond ASCII.
 */
function dispositionOf({ content_type, path_name }: AttachmentRow): string {
  const kind = isShownInPlace(content_type) ? 'inline' : 'attachment'
  const plain = path_name.replace(/[^\x20-\x7e]/g, '_')
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(path_name)}`
}

/** `Content-Security-Policy` of served files: no scripts run. */
const policy =
  "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'self' 'unsafe-inline'; sandbox"
