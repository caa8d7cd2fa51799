import { createHash } from 'node:crypto'

import { inject } from 'tsyringe'
import { type Static, Type } from 'typebox'

import { imageFactsOf } from '../../../domain/files/images.js'
import { isWholeImage } from '../../../domain/files/whole-images.js'
import { emojiCodeOfName, emojiNamesOfCode } from '../../../emoji/index.js'
import { groupBy } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import type { ServerFacts } from '../../../kernel/server-facts.js'
import { chunksOf } from '../../../resource-definition/chunks.js'
import { closed, FileId } from '../../../resource-definition/file-schemas.js'
import {
  defineFileSection,
  type FileSectionLoader,
} from '../../../resource-definition/file-section.js'
import type { Transaction } from '../../../storage/index.js'
import { StoredFiles } from '../../files/file-storage/index.js'
import { hasTooManyPixels } from '../../files/images/index.js'
import {
  emojiFileKey,
  emojiImageUrl,
  maxEmojiBytes,
  normalizedName,
} from './custom-emoji-service.js'
import { customEmoji } from './custom-emoji-table.js'
import { extraEmoji, type KnownEmoji, storedType } from './emoji-lookup.js'

const FileEmoji = Type.Object(
  {
    id: FileId,
    name: Type.String(),
    image: Type.String({ description: 'PNG, GIF, JPEG or WebP as base64, or as a `data:` URL.' }),
    author_id: Type.Optional(FileId),
    is_deactivated: Type.Optional(Type.Boolean()),
  },
  closed,
)
/** A custom emoji in an organization file. */
type FileEmoji = Static<typeof FileEmoji>

declare module '../../../resource-definition/file-schemas.js' {
  interface FileLists {
    custom_emoji: FileEmoji
  }
}

/** Stores the custom emoji of an organization file. */
@perServer()
class CustomEmojiFileLoader implements FileSectionLoader<FileEmoji> {
  constructor(@inject(StoredFiles) private readonly files: StoredFiles) {}

  async load(tx: Transaction, items: readonly FileEmoji[]): Promise<void> {
    const images = new Map(items.map((item) => [tokenOf(imageOf(item)), imageOf(item)]))
    for (const [token, image] of images) {
      await this.files.writeWithin(tx, emojiFileKey(tx.organizationId, token), image)
    }
    const rows = items.map((item) => {
      const image = imageOf(item)
      return {
        id: item.id,
        name: normalizedName(item.name),
        author_id: item.author_id ?? null,
        is_deactivated: item.is_deactivated ?? false,
        ...storedImageOf(image),
      }
    })
    for (const chunk of chunksOf(rows)) await tx.rows(customEmoji).insertMany(chunk)
  }
}

export const customEmojiFile = defineFileSection({
  key: 'custom_emoji',
  summary: "The organization's own emoji.",
  item: FileEmoji,
  table: 'custom_emoji',
  loader: CustomEmojiFileLoader,
  async check(items, check) {
    const name = check.once()
    for await (const { place, item } of items) {
      const normalized = check.requireRule(`${place}/name`, () => normalizedName(item.name))
      if (normalized !== undefined && item.is_deactivated !== true) {
        name(`${place}/name`, normalized)
      }
      if (item.author_id !== undefined) {
        check.requireKnown(`${place}/author_id`, 'user', item.author_id)
      }
      const image = imageOf(item)
      const problem = await problemOf(image)
      if (problem !== undefined) check.report(`${place}/image`, problem)
    }
  },
})

async function problemOf(image: Buffer): Promise<string | undefined> {
  if (image.length > maxEmojiBytes) return 'is larger than 5 MiB'
  const facts = imageFactsOf(image)
  if (facts === undefined) return 'is no image'
  if (hasTooManyPixels(facts)) return 'has more than a hundred million pixels'
  return (await isWholeImage(image)) ? undefined : 'is damaged, or not all of an image'
}

/** The active emoji of a file, as the message renderer needs them. */
export function emojiOfFile(
  items: readonly FileEmoji[],
  facts: Pick<ServerFacts, 'address'>,
): { name: string; sourceUrl: string }[] {
  return items
    .filter((item) => item.is_deactivated !== true)
    .map((item) => ({
      name: normalizedName(item.name),
      sourceUrl: emojiImageUrl({ id: item.id, ...storedImageOf(imageOf(item)) }, facts),
    }))
}

function imageOf({ image }: FileEmoji): Buffer {
  return Buffer.from(image.replace(/^data:[^,]*,/, ''), 'base64')
}

/** The columns that depend on the image. */
function storedImageOf(image: Buffer): { image_token: string; content_type: string } {
  return { image_token: tokenOf(image), content_type: imageFactsOf(image)?.contentType ?? '' }
}

/** The same at every import; it cannot be guessed without the image. */
function tokenOf(image: Buffer): string {
  return createHash('sha256').update(image).digest('base64url').slice(0, 20)
}

/** An emoji as a file names it: by its name alone, or also by its code and type. */
interface NamedEmoji {
  readonly emoji_name: string
  readonly emoji_code?: string | undefined
  readonly reaction_type?: string | undefined
}

/**
 * Returns a function that finds the emoji that a file names; it returns undefined for an unknown name. A
 * deactivated emoji can be named by its code.
 */
export function fileEmojiFinder(
  custom: readonly FileEmoji[],
): (named: NamedEmoji) => KnownEmoji | undefined {
  const byName = groupBy(custom, ({ name }) => name)
  return (named) => emojiAmong(byName.get(named.emoji_name) ?? [], named)
}

/** @param custom the custom emoji with that name. */
function emojiAmong(
  custom: readonly FileEmoji[],
  { emoji_name, emoji_code, reaction_type }: NamedEmoji,
): KnownEmoji | undefined {
  const type = reaction_type === undefined ? undefined : storedType(reaction_type)
  const known: KnownEmoji[] = custom
    .filter(({ id, is_deactivated }) =>
      emoji_code === undefined ? is_deactivated !== true : String(id) === emoji_code,
    )
    .map(({ id }) => ({ emoji_name, emoji_code: String(id), reaction_type: 'realm_emoji' }))
  if (emoji_name === extraEmoji) {
    known.push({ emoji_name, emoji_code: extraEmoji, reaction_type: 'service_extra_emoji' })
  }
  const code = emoji_code ?? emojiCodeOfName(emoji_name)
  if (code !== undefined && emojiNamesOfCode(code).includes(emoji_name)) {
    known.push({ emoji_name, emoji_code: code, reaction_type: 'unicode_emoji' })
  }
  return known.find(
    (emoji) =>
      (type === undefined || emoji.reaction_type === type) &&
      (emoji_code === undefined || emoji.emoji_code === emoji_code),
  )
}
