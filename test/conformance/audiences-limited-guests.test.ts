import { everyAudience } from '../support/audience-table.js'
import { everybody, everybodyBut } from '../support/audiences.js'
import type { HostCase } from '../support/host.js'

const limited = { settings: { can_access_all_users_group: 'role:members' } } as const

/** An account that shares no channel with the guest. */
const stranger = async ({ people: { olga }, channels }: HostCase): Promise<number> => {
  await olga.delete('/default_streams', { stream_id: channels.general })
  const answer = await olga.post('/users', {
    email: 'stranger@people.example',
    full_name: 'Stranger',
    password: 'a rather long staple 12',
  })
  return answer.body.user_id as number
}

everyAudience(
  'update-user',
  'all but guests who may not know of the user',
  {
    ready: stranger,
    call: ({ people: { olga } }, id) => olga.patch(`/users/${id}`, { full_name: 'Other' }),
    heard: everybodyBut(['gus'], 'realm_user/update'),
  },
  limited,
)
everyAudience(
  'update-status-for-user',
  'all but guests who may not know of the user',
  {
    ready: stranger,
    call: ({ people: { olga } }, id) => olga.post(`/users/${id}/status`, { status_text: 'There' }),
    heard: everybodyBut(['gus'], 'user_status'),
  },
  limited,
)
everyAudience(
  'deactivate-user',
  'all; by guests who may not know of the user only as a member who left groups',
  {
    ready: stranger,
    call: ({ people: { olga } }, id) => olga.delete(`/users/${id}`),
    heard: {
      ...everybody('realm_user/update'),
      gus: ['user_group/remove_members', 'user_group/remove_members'],
    },
  },
  limited,
)
everyAudience(
  'subscribe',
  'the guest who comes to know of the subscriber, too',
  {
    ready: stranger,
    call: ({ people: { olga } }, id) =>
      olga.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'general' }],
        principals: [id],
      }),
    heard: {
      ...everybody('subscription/peer_add'),
      gus: ['realm_user/add', 'subscription/peer_add'],
    },
  },
  limited,
)
everyAudience(
  'unsubscribe',
  'the guest who may not know of the user any more, too',
  {
    call: ({ people: { carol } }) =>
      carol.delete('/users/me/subscriptions', { subscriptions: ['general'] }),
    heard: {
      ...everybody('subscription/peer_remove'),
      carol: ['subscription/remove'],
      gus: ['subscription/peer_remove', 'realm_user/remove'],
    },
  },
  limited,
)
