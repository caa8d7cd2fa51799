import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { allEmojiCodes, emojiNamesOfCode } from '../../../emoji/index.js'
import { ChatError } from '../../../errors/index.js'
import {
  cachedForever,
  defineCommand,
  defineOperation,
  DocumentReply,
  FileReply,
} from '../../../http/operation.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import { customEmojiChanged, CustomEmojiMap } from './custom-emoji-events.js'
import { customEmojiFile } from './custom-emoji-file-section.js'
import { CustomEmojiService, maxEmojiBytes } from './custom-emoji-service.js'

export { emojiOfFile, fileEmojiFinder } from './custom-emoji-file-section.js'
export { emojiFileKey, emojiImageUrl } from './custom-emoji-service.js'
export { EmojiLookup, storedType, type KnownEmoji } from './emoji-lookup.js'

const getCustomEmoji = defineOperation({
  id: 'get-custom-emoji',
  summary: "List the organization's custom emoji, including deactivated ones.",
  method: 'GET',
  path: '/realm/emoji',
  access: 'user',
  params: {},
  response: Type.Object({ emoji: CustomEmojiMap }),
  errors: [],
  service: CustomEmojiService,
  handle: async (emoji, { actor }) => ({ emoji: await emoji.listFor(actor) }),
})

const uploadCustomEmoji = defineCommand({
  id: 'upload-custom-emoji',
  summary: 'Add a custom emoji.',
  method: 'POST',
  path: '/realm/emoji/{emoji_name}',
  access: 'humanNonGuest',
  params: { emoji_name: Bounded.name({ contentKind: 'emoji.name' }) },
  errors: ['BAD_REQUEST', 'BAD_IMAGE'],
  service: CustomEmojiService,
  upload: { maxFileBytes: () => maxEmojiBytes },
  handle: (emoji, { actor, params, request }) =>
    emoji.upload(actor, params.emoji_name, request.files),
})

const deactivateCustomEmoji = defineCommand({
  id: 'deactivate-custom-emoji',
  summary: 'Deactivate a custom emoji; messages and reactions keep it.',
  method: 'DELETE',
  path: '/realm/emoji/{emoji_name}',
  access: 'user',
  params: { emoji_name: Bounded.name() },
  errors: ['BAD_REQUEST', 'OBJECT_NOT_FOUND'],
  service: CustomEmojiService,
  handle: (emoji, { actor, params }) => emoji.deactivate(actor, params.emoji_name),
})

const getEmojiImage = defineOperation({
  id: 'get-emoji-image',
  summary: 'Get the image of a custom emoji; requires no authentication.',
  method: 'GET',
  path: '/realm/emoji/images/{emoji_id}/{image_name}',
  access: 'anyone',
  params: { emoji_id: Bounded.id(), image_name: Bounded.name() },
  response: Type.Object({}),
  errors: ['ROUTE_NOT_FOUND'],
  service: CustomEmojiService,
  mediaType: 'image/*',
  async handle(emoji, { params, request }) {
    const image = await emoji.image(request.organization.id, params.emoji_id, params.image_name)
    if (image === undefined) throw new ChatError('ROUTE_NOT_FOUND')
    return new FileReply(image.content, image.contentType, { headers: cachedForever })
  },
})

let emojiDocument: string | undefined

const getEmojiData = defineOperation({
  id: 'get-emoji-data',
  summary: 'Get the names of every Unicode emoji, by code; the first name is the main one.',
  method: 'GET',
  path: '/emoji_data.json',
  access: 'anyone',
  servesUnknownHosts: true,
  params: {},
  response: Type.Object({
    code_to_names: Type.Record(Type.String(), Type.Array(Type.String())),
  }),
  mediaType: 'application/json',
  errors: [],
  service: CustomEmojiService,
  handle() {
    emojiDocument ??= JSON.stringify({
      code_to_names: Object.fromEntries(
        allEmojiCodes().map((code) => [code, emojiNamesOfCode(code)]),
      ),
    })
    return new DocumentReply(emojiDocument)
  },
})

/** `realm_emoji`. */
const customEmojiSnapshot = defineSnapshot({
  keys: { realm_emoji: CustomEmojiMap },
  fetchType: 'realm_emoji',
  service: CustomEmojiService,
  async load(emoji, context) {
    return { realm_emoji: await emoji.list(context.scope) }
  },
})

export const emoji = defineResource({
  operations: [
    getCustomEmoji,
    uploadCustomEmoji,
    deactivateCustomEmoji,
    getEmojiImage,
    getEmojiData,
  ],
  events: [customEmojiChanged],
  snapshot: customEmojiSnapshot,
  fileSection: customEmojiFile,
})
