import type { Answer, Client } from '../client.js'
import type { HostCase } from '../host.js'
import { fromAlice } from './messages.js'
import {
  administrators,
  humans,
  notPermitted,
  own,
  unused,
  unusedNumber,
  type Examples,
} from './example.js'

const draft = ({ channels }: HostCase) => ({
  type: 'stream',
  to: [channels.general],
  topic: 'callers',
  content: 'Text',
})

/** The id of an object that the caller has just created, or an unknown id if that failed. */
async function made(answer: Promise<Answer>, key: string): Promise<number> {
  const { body } = await answer
  return (body[key]?.[0] ?? body[key] ?? 2_000_000_000) as number
}

const tomorrow = ({ clock }: HostCase): number => clock.seconds + 24 * 3600
const addScheduled = (at: HostCase, by: Client): Promise<Answer> =>
  by.post('/scheduled_messages', {
    type: 'direct',
    to: [at.people.bob.id],
    content: 'Text',
    scheduled_delivery_timestamp: tomorrow(at),
  })
const scheduled = async (at: HostCase, by: Client): Promise<string> =>
  `/scheduled_messages/${await made(addScheduled(at, by), 'scheduled_message_id')}`
const addReminder = async (at: HostCase, by: Client): Promise<Answer> =>
  by.post('/reminders', {
    message_id: await fromAlice(at),
    scheduled_delivery_timestamp: tomorrow(at),
  })
const addDraft = (at: HostCase, by: Client): Promise<Answer> =>
  by.post('/drafts', { drafts: [draft(at)] })
const draftPath = async (at: HostCase, by: Client): Promise<string> =>
  `/drafts/${await made(addDraft(at, by), 'ids')}`
const addSnippet = (by: Client): Promise<Answer> =>
  by.post('/saved_snippets', { title: unused('Title '), content: 'Text' })
const snippet = async (by: Client): Promise<string> =>
  `/saved_snippets/${await made(addSnippet(by), 'saved_snippet_id')}`
const addView = (by: Client, fragment = unused('narrow/')): Promise<Answer> =>
  by.post('/navigation_views', { fragment, is_pinned: true, name: fragment })
const view = async (by: Client): Promise<string> => {
  const fragment = unused('narrow/')
  await addView(by, fragment)
  return `/navigation_views/${fragment}`
}
/** A setting that every call changes. */
const otherPeriod = () => ({ email_notifications_batching_period_seconds: 100 + unusedNumber() })

export const personal: Examples = {
  'get-scheduled-messages': { call: (_, by) => by.get('/scheduled_messages') },
  'create-scheduled-message': { call: addScheduled, audited: own },
  'update-scheduled-message': {
    call: async (at, by) => by.patch(await scheduled(at, by), { content: 'Other text' }),
    audited: own,
  },
  'delete-scheduled-message': {
    call: async (at, by) => by.delete(await scheduled(at, by)),
    audited: own,
  },
  'get-reminders': { call: (_, by) => by.get('/reminders') },
  'create-message-reminder': { call: addReminder, audited: own },
  'delete-reminder': {
    call: async (at, by) =>
      by.delete(`/reminders/${await made(addReminder(at, by), 'reminder_id')}`),
    audited: own,
  },
  'get-drafts': { call: (_, by) => by.get('/drafts') },
  'create-drafts': { call: addDraft, audited: own },
  'edit-draft': {
    call: async (at, by) => by.patch(await draftPath(at, by), { draft: draft(at) }),
    audited: own,
  },
  'delete-draft': {
    call: async (at, by) => by.delete(await draftPath(at, by)),
    audited: own,
  },
  'get-saved-snippets': { call: (_, by) => by.get('/saved_snippets') },
  'create-saved-snippet': { call: (_, by) => addSnippet(by), audited: own },
  'edit-saved-snippet': {
    call: async (_, by) => by.patch(await snippet(by), { title: 'Other title' }),
    audited: own,
  },
  'delete-saved-snippet': { call: async (_, by) => by.delete(await snippet(by)), audited: own },
  'get-navigation-views': { call: (_, by) => by.get('/navigation_views') },
  'add-navigation-view': { call: (_, by) => addView(by), audited: own },
  'edit-navigation-view': {
    call: async (_, by) => by.patch(await view(by), { is_pinned: false }),
    audited: own,
  },
  'remove-navigation-view': { call: async (_, by) => by.delete(await view(by)), audited: own },
  'update-presence': {
    call: (_, by) => by.post('/users/me/presence', { status: 'active', last_update_id: -1 }),
    refused: humans,
    audited: own,
  },
  'get-user-presence': {
    call: async ({ people: { bob } }, by) => {
      await bob.post('/users/me/presence', { status: 'active' })
      return by.get(`/users/${bob.id}/presence`)
    },
  },
  'get-presence': { call: (_, by) => by.get('/realm/presence') },
  'update-status': {
    call: (_, by) => by.post('/users/me/status', { status_text: unused('Here ') }),
    refused: humans,
    audited: own,
  },
  'get-user-status': { call: (at, by) => by.get(`/users/${at.people.bob.id}/status`) },
  'update-status-for-user': {
    call: (at, by) =>
      by.post(`/users/${at.people.bob.id}/status`, { status_text: unused('Here ') }),
    refused: notPermitted,
    audited: 'changes a status, which is part of no permission',
  },
  'update-settings': {
    call: (_, by) => by.patch('/settings', otherPeriod()),
    refused: humans,
    audited: own,
  },
  'update-notification-settings': {
    call: (_, by) => by.patch('/settings/notifications', otherPeriod()),
    refused: humans,
    audited: own,
  },
  'update-display-settings': {
    call: (_, by) => by.patch('/settings/display', { enter_sends: unusedNumber() % 2 === 0 }),
    refused: humans,
    audited: own,
  },
  'update-realm-user-settings-defaults': {
    call: (_, by) => by.patch('/realm/user_settings_defaults', otherPeriod()),
    refused: administrators,
    audited: ['organization.user_defaults_changed'],
  },
  'mute-user': {
    call: async (at, by) => {
      const path = `/users/me/muted_users/${at.people.carol.id}`
      await by.delete(path)
      return by.post(path)
    },
    audited: own,
  },
  'unmute-user': {
    call: async (at, by) => {
      const path = `/users/me/muted_users/${at.people.carol.id}`
      await by.post(path)
      return by.delete(path)
    },
    audited: own,
  },
}
