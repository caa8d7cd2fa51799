import type { MarkdownContext, MarkdownSettings } from './context.js'
import { renderMarkdown } from './render-markdown.js'
import type { RenderedMarkdown } from './rendered-markdown.js'

/** What a text is rendered with: of {@link MarkdownContext}, whatever the host has an answer to. */
export type RenderOptions = Partial<Omit<MarkdownContext, 'settings'>> &
  Pick<MarkdownContext, 'organizationUrl' | 'now'> & {
    readonly settings?: Partial<MarkdownSettings>
  }

const defaultSettings: MarkdownSettings = {
  previewsImages: true,
  previewsWebsites: false,
  defaultCodeBlockLanguage: '',
  translatesEmoticons: false,
  emptyTopicDisplayName: 'general chat',
  maxMessageLength: 10_000,
}

const knowsNothing = (): undefined => undefined

/**
 * Renders a text outside of any organization, for a host's own pages: to the HTML that a client of
 * the chat is given for it. Pure and synchronous. `options` must name the organization's address,
 * which its own links lose, and the instant that relative times refer to. A look-up that is left
 * out of `options` finds nothing, and the name stays text. {@link collectReferences} tells
 * beforehand what a text will ask for.
 *
 * Nothing but whitespace gives `''`. NUL and unpaired surrogates must not be in `source`.
 *
 * @throws {MarkdownRenderError} after 5 seconds (with `options.clock`), when the HTML is longer than
 *   a hundred times `settings.maxMessageLength`, or when rendering hits a bug. It holds none of the
 *   text.
 */
export function renderMessage(source: string, options: RenderOptions): RenderedMarkdown {
  return renderMarkdown(source, {
    findUser: knowsNothing,
    findUserByName: knowsNothing,
    findGroupByName: knowsNothing,
    findChannelByName: knowsNothing,
    findLatestMessageId: knowsNothing,
    findCustomEmoji: knowsNothing,
    findUpload: knowsNothing,
    ...options,
    settings: { ...defaultSettings, ...options.settings },
  })
}
