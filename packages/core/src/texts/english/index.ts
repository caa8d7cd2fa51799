import { accessTexts } from './access.js'
import { accountTexts } from './accounts.js'
import { administrationTexts } from './administration.js'
import { pushTexts } from './push-notifications.js'
import { mailTexts } from './mails.js'
import { pageTexts } from './pages.js'
import { botMessageTexts } from './bot-messages.js'
import { channelTexts } from './channels.js'
import { contentTexts } from './content.js'
import { groupTexts } from './groups.js'
import { messageTexts } from './messages.js'
import { personalTexts } from './personal.js'
import { quotaTexts } from './quotas.js'
import { requestTexts } from './requests.js'

/** The English texts of errors, by name. */
export const englishErrorTexts = {
  ...requestTexts,
  ...accessTexts,
  ...accountTexts,
  ...administrationTexts,
  ...channelTexts,
  ...contentTexts,
  ...groupTexts,
  ...messageTexts,
  ...personalTexts,
  ...quotaTexts,
} as const

/** The English texts of the server, by name. `{value}` stands for a value. */
export const englishTexts = {
  ...englishErrorTexts,
  ...botMessageTexts,
  ...pushTexts,
  ...mailTexts,
  ...pageTexts,
} as const
