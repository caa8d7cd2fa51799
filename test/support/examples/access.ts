import { connection, type Examples } from './example.js'

export const access: Examples = {
  'create-socket-ticket': {
    call: async (_, by) => {
      const { body } = await by.post('/register', { fetch_event_types: [] })
      return by.post('/events/ticket', { queue_id: body.queue_id ?? 'none' })
    },
    audited: connection,
  },
  'regenerate-own-api-key': {
    call: (_, by) => by.post('/users/me/api_key/regenerate'),
    audited: ['user.api_key_replaced'],
  },
}
