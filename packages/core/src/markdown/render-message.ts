import type { MarkdownContext, MarkdownSettings } from './context.js'
import { renderMarkdown } from './render-markdown.js'
import type { RenderedMarkdown } from './rendered-markdown.js'

/** The input of a render: the parts of {@link MarkdownContext} that the application provides. */
export type RenderOptions = Partial<Omit<MarkdownContext, 'settings'>> &
  Pick<MarkdownContext, 'organizationUrl' | 'now'> & {
    readonly settings?: Partial<MarkdownSettings>
  }

const defaultSettings: MarkdownSettings = {
  previewsImages: true,
  defaultCodeBlockLanguage: '',
  translatesEmoticons: false,
  emptyTopicDisplayName: 'general chat',
  maxMessageLength: 10_000,
}

const findsNothing = (): undefined => undefined

/**
 * Renders a text outside of any organization, for an application's own pages: as the HTML that
 * clients of the chat get for it. Pure and synchronous. `options` must have the organization's URL,
 * which is removed from links to itself, and the time that relative times refer to. A look-up that
 * `options` omits finds nothing, and the name stays text. {@link collectReferences} lists the
 * look-ups of a text in advance.
 *
 * Whitespace only yields `''`. `source` must not contain NUL or unpaired surrogates.
 *
 * @throws {MarkdownRenderError} after 5 seconds (with `options.clock`), when the HTML is longer
 *   than a hundred times `settings.maxMessageLength`, or when rendering fails because of a bug. It
 *   contains none of the text.
 */
export function renderMessage(source: string, options: RenderOptions): RenderedMarkdown {
  return renderMarkdown(source, contextOf(options))
}

/** The context of a text outside of any organization. */
export function contextOf(options: RenderOptions): MarkdownContext {
  return {
    findUser: findsNothing,
    findUserByName: findsNothing,
    findGroupByName: findsNothing,
    findChannelByName: findsNothing,
    findLatestMessageId: findsNothing,
    findCustomEmoji: findsNothing,
    findUpload: findsNothing,
    ...options,
    settings: { ...defaultSettings, ...options.settings },
  }
}
