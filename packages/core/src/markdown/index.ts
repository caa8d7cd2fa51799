export { AlertWordIndex } from './alert-words.js'
export { collectReferences } from './collect-references.js'
export type { MarkdownReferences, TopicReference } from './collect-references.js'
export type {
  CodeHighlighter,
  CodeToken,
  CustomEmoji,
  LinkableChannel,
  MarkdownContext,
  MarkdownSettings,
  MentionableGroup,
  MentionableUser,
  UploadedFile,
  UploadedImage,
} from './context.js'
export { encodeForHash } from './inline/hash-encoding.js'
export { isLinkScheme } from './inline/link-schemes.js'
export { highlightCode } from './code/highlight-code.js'
export { compileLinkifiers, instructionsOf, LinkifierError } from './linkifiers.js'
export type { CompiledLinkifiers, Linkifier } from './linkifiers.js'
export { MarkdownRenderError } from './render-error.js'
export type { MarkdownFailure } from './render-error.js'
export { renderMarkdown, renderMarkdownAsync } from './render-markdown.js'
export { renderMessage } from './render-message.js'
export type { RenderOptions } from './render-message.js'
export type { RenderedMarkdown } from './rendered-markdown.js'
export { withSilentMentions } from './silent-mentions.js'
export type { ManyMention } from './silent-mentions.js'
export { renderTopicLinks } from './topic-links.js'
export type { TopicLink } from './topic-links.js'
