import { Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'

export const alertWordsChanged = defineEvent({
  type: 'alert_words',
  summary: "The user added or removed alert words. Sent to the user's own clients, with all words.",
  payload: Type.Object({ alert_words: Type.Array(Type.String()) }),
})
