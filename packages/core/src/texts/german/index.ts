import type { Language } from '../language.js'
import { germanAccessTexts } from './access.js'
import { germanAccountTexts } from './accounts.js'
import { germanAdministrationTexts } from './administration.js'
import { germanPushTexts } from './push-notifications.js'
import { germanMailTexts } from './mails.js'
import { germanPageTexts } from './pages.js'
import { germanBotMessageTexts } from './bot-messages.js'
import { germanChannelTexts } from './channels.js'
import { germanContentTexts } from './content.js'
import { germanGroupTexts } from './groups.js'
import { germanMessageTexts } from './messages.js'
import { germanPersonalTexts } from './personal.js'
import { germanQuotaTexts } from './quotas.js'
import { germanRequestTexts } from './requests.js'

/** German, for the option `texts.languages`. */
export const german: Language = {
  tag: 'de',
  texts: {
    ...germanRequestTexts,
    ...germanAccessTexts,
    ...germanAccountTexts,
    ...germanAdministrationTexts,
    ...germanChannelTexts,
    ...germanContentTexts,
    ...germanGroupTexts,
    ...germanMessageTexts,
    ...germanPersonalTexts,
    ...germanQuotaTexts,
    ...germanBotMessageTexts,
    ...germanMailTexts,
    ...germanPageTexts,
    ...germanPushTexts,
  },
}
