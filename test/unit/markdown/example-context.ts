import {
  compileLinkifiers,
  highlightCode,
  type CompiledLinkifiers,
  type MarkdownContext,
  type MarkdownSettings,
  type UploadedFile,
} from '../../../packages/core/src/markdown/index.js'
import { examples } from './examples.js'

const { context: organization } = examples

const users = organization.users.map(
  ({ user_id: id, full_name: fullName, is_active: isActive }) => ({
    id,
    fullName,
    isActive,
  }),
)

const groups = organization.user_groups.map(({ id, name, display_name, deactivated }) => ({
  id,
  name,
  isActive: deactivated !== true,
  ...(display_name === undefined ? {} : { displayName: display_name }),
}))

const channels = organization.channels.map(({ stream_id: id, name }) => ({ id, name }))

const customEmoji = organization.realm_emoji.map(({ name, source_url: sourceUrl }) => ({
  name,
  sourceUrl,
}))

const uploads = organization.uploads.map((upload): UploadedFile => {
  const { path_id: pathId, content_type: contentType, dimensions, transcoded } = upload
  if (dimensions === undefined) return { pathId, contentType }
  const [widthPixels = 0, heightPixels = 0] = dimensions.split('x').map(Number)
  return {
    pathId,
    contentType,
    image: {
      widthPixels,
      heightPixels,
      isThumbnailed: upload.thumbnailed === true,
      isAnimated: upload.animated === true,
      ...(transcoded === undefined ? {} : { transcodedName: transcoded }),
    },
  }
})

/** The linkifiers of the examples, compiled. */
export const linkifiers: CompiledLinkifiers = compileLinkifiers(
  organization.linkifiers.map(({ pattern, url_template: urlTemplate }) => ({
    pattern,
    urlTemplate,
  })),
)

/** The settings of the examples. */
export const settings: MarkdownSettings = {
  previewsImages: organization.settings.inline_image_preview,
  defaultCodeBlockLanguage: organization.settings.default_code_block_language,
  translatesEmoticons: organization.settings.translate_emoticons,
  emptyTopicDisplayName: organization.empty_topic_display_name,
  maxMessageLength: 10_000,
}

/** The organization that the examples assume, with `changes` to it. */
export function exampleContext(changes: Partial<MarkdownContext> = {}): MarkdownContext {
  return {
    organizationUrl: organization.realm_url,
    settings,
    now: new Date('2031-04-09T10:00:00Z'),
    findUser: (id) => users.find((user) => user.id === id),
    findUserByName: (fullName) =>
      users.find((user) => user.fullName.toLowerCase() === fullName.toLowerCase()),
    findGroupByName: (name) => groups.find((group) => group.name === name),
    findChannelByName: (name) => channels.find((channel) => channel.name === name),
    findLatestMessageId: (channelId, topic) =>
      organization.latest_message_ids.find(
        (latest) => latest.stream_id === channelId && latest.topic === topic,
      )?.message_id,
    findCustomEmoji: (name) => customEmoji.find((emoji) => emoji.name === name),
    findUpload: (pathId) => uploads.find((upload) => upload.pathId === pathId),
    linkifiers,
    // The examples contain the original addresses, without a proxy.
    toProxyUrl: (url) => url,
    highlight: highlightCode,
    ...changes,
  }
}
