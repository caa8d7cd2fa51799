import type { Api } from '@parley/client'

import { followEvents, type EventView } from './follow-events.js'
import type { Session } from './session.js'

interface AnswerHandlers<Answer> {
  read(session: Session): Promise<Answer>
  answered(answer: Answer): void
  failed(error: unknown): void
}

/**
 * Reads something of the server when a view is shown, and again after each event about it. Of
 * several answers that of the newest request applies.
 *
 * @returns a function that reads it at once.
 */
export function followAnswer<Answer>(
  view: EventView,
  eventTypes: NonNullable<Api.RegisterQueueParams['event_types']>,
  handlers: AnswerHandlers<Answer>,
): (session: Session) => Promise<void> {
  let newest = 0
  const read = async (session: Session): Promise<void> => {
    newest += 1
    const own = newest
    try {
      const answer = await handlers.read(session)
      if (own === newest) handlers.answered(answer)
    } catch (error) {
      if (own === newest) handlers.failed(error)
    }
  }
  followEvents(
    view,
    { event_types: eventTypes, fetch_event_types: [] },
    {
      registered: (_registration, session) => void read(session),
      received: (_events, session) => void read(session),
    },
  )
  return read
}
