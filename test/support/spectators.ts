import type { Answer } from './client.js'
import type { HostCase } from './host.js'

export const webPublic = { operator: 'channels', operand: 'web-public' }
/** An organization that spectators can read. */
export const open = { settings: { enable_spectator_access: true } }

export const fetchWith = (
  { nobody }: HostCase,
  narrow: unknown,
  more: Record<string, unknown> = {},
): Promise<Answer> =>
  nobody.get('/messages', { anchor: 'newest', num_before: 20, num_after: 0, narrow, ...more })

/** The operations that spectators may call, by id; the message is one of a web-public channel. */
export const spectatorCalls: Readonly<
  Record<string, (at: HostCase, messageId: number) => Promise<Answer>>
> = {
  'get-messages': (at) => fetchWith(at, [webPublic]),
  'get-message': (at, messageId) => at.nobody.get(`/messages/${messageId}`),
  'get-stream-topics': (at) => at.nobody.get(`/users/me/${at.channels.window}/topics`),
  'register-queue': (at) => at.nobody.post('/register'),
  'get-users': (at) => at.nobody.get('/users'),
}
