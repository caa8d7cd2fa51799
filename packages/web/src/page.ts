import { Page, type ChatPageOptions, type PageHandler } from './page/page.js'
import { readPageFiles } from './page/page-files.js'

export type {
  ChatPageOptions,
  PageAnswer,
  PageAsked,
  PageContext,
  PageHandler,
} from './page/page.js'

/**
 * The chat as a complete page, for the option `page` of a chat server.
 *
 * @throws {TypeError} if the path is not one.
 */
export function chatPage(options: ChatPageOptions = {}): PageHandler {
  return new Page(options, readPageFiles())
}
