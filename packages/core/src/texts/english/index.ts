import { accountTexts } from './accounts.js'
import { messageTexts } from './messages.js'
import { botMessageTexts, mailTexts, pageTexts, pushTexts } from './notifications.js'
import { requestTexts } from './requests.js'

/** The English texts of errors, by name. */
export const englishErrorTexts = { ...requestTexts, ...accountTexts, ...messageTexts } as const

/** The English texts of the server, by name. `{value}` stands for a value. */
export const englishTexts = {
  ...englishErrorTexts,
  ...botMessageTexts,
  ...pushTexts,
  ...mailTexts,
  ...pageTexts,
} as const
