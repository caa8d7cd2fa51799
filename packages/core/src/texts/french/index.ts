import type { Language } from '../language.js'
import { frenchAccessTexts } from './access.js'
import { frenchAccountTexts } from './accounts.js'
import { frenchAdministrationTexts } from './administration.js'
import { frenchPushTexts } from './push-notifications.js'
import { frenchMailTexts } from './mails.js'
import { frenchPageTexts } from './pages.js'
import { frenchBotMessageTexts } from './bot-messages.js'
import { frenchChannelTexts } from './channels.js'
import { frenchContentTexts } from './content.js'
import { frenchGroupTexts } from './groups.js'
import { frenchMessageTexts } from './messages.js'
import { frenchPersonalTexts } from './personal.js'
import { frenchQuotaTexts } from './quotas.js'
import { frenchRequestTexts } from './requests.js'

/** French, for the option `texts.languages`. */
export const french: Language = {
  tag: 'fr',
  texts: {
    ...frenchRequestTexts,
    ...frenchAccessTexts,
    ...frenchAccountTexts,
    ...frenchAdministrationTexts,
    ...frenchChannelTexts,
    ...frenchContentTexts,
    ...frenchGroupTexts,
    ...frenchMessageTexts,
    ...frenchPersonalTexts,
    ...frenchQuotaTexts,
    ...frenchBotMessageTexts,
    ...frenchMailTexts,
    ...frenchPageTexts,
    ...frenchPushTexts,
  },
}
