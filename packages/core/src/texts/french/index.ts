import type { Language } from '../language.js'
import { frenchAccountTexts } from './accounts.js'
import { frenchMessageTexts } from './messages.js'
import { frenchNotificationTexts } from './notifications.js'
import { frenchRequestTexts } from './requests.js'

/** French, for the option `texts.languages`. */
export const french: Language = {
  tag: 'fr',
  texts: {
    ...frenchRequestTexts,
    ...frenchAccountTexts,
    ...frenchMessageTexts,
    ...frenchNotificationTexts,
  },
}
