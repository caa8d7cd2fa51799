import type { Language } from '../language.js'
import { germanAccountTexts } from './accounts.js'
import { germanMessageTexts } from './messages.js'
import { germanNotificationTexts } from './notifications.js'
import { germanRequestTexts } from './requests.js'

/** German, for the option `texts.languages`. */
export const german: Language = {
  tag: 'de',
  texts: {
    ...germanRequestTexts,
    ...germanAccountTexts,
    ...germanMessageTexts,
    ...germanNotificationTexts,
  },
}
