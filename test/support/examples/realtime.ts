import type { Answer } from '../client.js'
import { connection, type Examples } from './example.js'

export const realtime: Examples = {
  'register-queue': {
    call: (_, by) => by.post('/register', { fetch_event_types: [] }),
    audited: connection,
  },
  'get-events': {
    call: async (_, by) => {
      const { body }: Answer = await by.post('/register', { fetch_event_types: [] })
      const { queue_id = 'none', last_event_id = -1 } = body
      return by.get('/events', { queue_id, last_event_id, dont_block: true })
    },
    audited: connection,
  },
  'delete-queue': {
    call: async (_, by) => {
      const { body }: Answer = await by.post('/register', { fetch_event_types: [] })
      return by.delete('/events', { queue_id: body.queue_id ?? 'none' })
    },
    audited: connection,
  },
}
