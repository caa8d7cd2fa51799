import { parseJson, type Json } from '../../../storage/index.js'
import { avatarKeysOf } from '../../files/avatars/index.js'
import { fileKeyOf, fileKeysOf } from '../../files/attachments/index.js'
import { emojiFileKey } from '../../content/emoji/index.js'
import type { StoredOrganizationSettings } from '../../organization/organizations/index.js'
import { imageKeysOf } from '../organization-images/index.js'
import type { ArchivedRow } from './archived-tables.js'

/** A file that belongs to a row. */
export interface ArchivedFile {
  /** Its key in the storage. */
  readonly key: string
  /** In bytes; undefined for images, whose size is not in the database. */
  readonly size: number | undefined
}

const filesOf: Readonly<
  Record<string, (organizationId: number, row: ArchivedRow) => readonly ArchivedFile[]>
> = {
  users: (id, { avatar_name, application_avatar_url }) =>
    typeof avatar_name === 'string' && application_avatar_url === null
      ? images(avatarKeysOf(id, avatar_name))
      : [],
  custom_emoji: (id, { image_token }) => images([emojiFileKey(id, String(image_token))]),
  attachments(id, row) {
    const folder = String(row['folder'])
    const uploaded = fileKeyOf(id, folder)
    const image_width = row['image_width'] === null ? null : Number(row['image_width'])
    return fileKeysOf({ organization_id: id, folder, image_width }).map((key) => ({
      key,
      size: key === uploaded ? Number(row['size_bytes']) : undefined,
    }))
  },
}

/** Whether rows of a table have files. */
export function hasFiles(table: string): boolean {
  return Object.hasOwn(filesOf, table)
}

/** The files that the rows of a table may have, each once; some may not exist. */
export function filesOfRows(
  organizationId: number,
  table: string,
  rows: readonly ArchivedRow[],
): ArchivedFile[] {
  const files = rows.flatMap((row) => filesOf[table]?.(organizationId, row) ?? [])
  return [...new Map(files.map((file) => [file.key, file])).values()]
}

/** The images of an organization. */
export function filesOfOrganization(organizationId: number, row: ArchivedRow): ArchivedFile[] {
  // Stored by the server, or checked against the same schema.
  const settings = row['settings'] as Json<StoredOrganizationSettings>
  return images(imageKeysOf(organizationId, parseJson(settings).images ?? {}))
}

function images(keys: readonly string[]): ArchivedFile[] {
  return keys.map((key) => ({ key, size: undefined }))
}
