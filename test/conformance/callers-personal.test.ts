import { everyCaller } from '../support/callers.js'
import type { Client } from '../support/client.js'
import { link, multipartHeaders, multipartOf, pngOf, upload } from '../support/uploads.js'

const tomorrow = 24 * 3600
const draft = { type: '', to: [], topic: '', content: 'Text' }
const snippet = { title: 'Title', content: 'Text' }
const view = { fragment: 'inbox', is_pinned: true }

/** The id of an object that the caller has just created, or an unknown id if that failed. */
async function made(answer: ReturnType<Client['post']>, key: string): Promise<number> {
  const { body } = await answer
  return (body[key]?.[0] ?? body[key] ?? 2_000_000_000) as number
}

const scheduled = (at: { clock: { seconds: number }; people: { bob: Client } }): object => ({
  type: 'direct',
  to: [at.people.bob.id],
  content: 'Text',
  scheduled_delivery_timestamp: at.clock.seconds + tomorrow,
})

everyCaller('get-scheduled-messages', (_, by) => by.get('/scheduled_messages'))
everyCaller('create-scheduled-message', (at, by) =>
  by.post('/scheduled_messages', { ...scheduled(at) }),
)
everyCaller('update-scheduled-message', async (at, by) => {
  const id = await made(
    by.post('/scheduled_messages', { ...scheduled(at) }),
    'scheduled_message_id',
  )
  return by.patch(`/scheduled_messages/${id}`, { content: 'Other text' })
})
everyCaller('delete-scheduled-message', async (at, by) => {
  const id = await made(
    by.post('/scheduled_messages', { ...scheduled(at) }),
    'scheduled_message_id',
  )
  return by.delete(`/scheduled_messages/${id}`)
})

everyCaller('get-reminders', (_, by) => by.get('/reminders'))
everyCaller('create-message-reminder', async (at, by) => {
  const message_id = await at.people.alice.say(at.channels.general, 'callers', 'Text')
  const scheduled_delivery_timestamp = at.clock.seconds + tomorrow
  return by.post('/reminders', { message_id, scheduled_delivery_timestamp })
})
everyCaller('delete-reminder', async (at, by) => {
  const message_id = await at.people.alice.say(at.channels.general, 'callers', 'Text')
  const scheduled_delivery_timestamp = at.clock.seconds + tomorrow
  const reminder = by.post('/reminders', { message_id, scheduled_delivery_timestamp })
  return by.delete(`/reminders/${await made(reminder, 'reminder_id')}`)
})

everyCaller('get-drafts', (_, by) => by.get('/drafts'))
everyCaller('create-drafts', (_, by) => by.post('/drafts', { drafts: [draft] }))
everyCaller('edit-draft', async (_, by) =>
  by.patch(`/drafts/${await made(by.post('/drafts', { drafts: [draft] }), 'ids')}`, { draft }),
)
everyCaller('delete-draft', async (_, by) =>
  by.delete(`/drafts/${await made(by.post('/drafts', { drafts: [draft] }), 'ids')}`),
)

everyCaller('get-saved-snippets', (_, by) => by.get('/saved_snippets'))
everyCaller('create-saved-snippet', (_, by) => by.post('/saved_snippets', snippet))
everyCaller('edit-saved-snippet', async (_, by) => {
  const id = await made(by.post('/saved_snippets', snippet), 'saved_snippet_id')
  return by.patch(`/saved_snippets/${id}`, { title: 'Other title' })
})
everyCaller('delete-saved-snippet', async (_, by) => {
  const id = await made(by.post('/saved_snippets', snippet), 'saved_snippet_id')
  return by.delete(`/saved_snippets/${id}`)
})

everyCaller('get-navigation-views', (_, by) => by.get('/navigation_views'))
everyCaller('add-navigation-view', (_, by) => by.post('/navigation_views', view))
everyCaller('edit-navigation-view', async (_, by) => {
  await by.post('/navigation_views', view)
  return by.patch('/navigation_views/inbox', { is_pinned: false })
})
everyCaller('remove-navigation-view', async (_, by) => {
  await by.post('/navigation_views', view)
  return by.delete('/navigation_views/inbox')
})

everyCaller('upload-file', (_, by) => {
  const body = multipartOf([{}])
  return by.send('POST', '/user_uploads', body, multipartHeaders(body))
})
everyCaller('get-file-temporary-url', async (at, by) => {
  const url = await upload(at.people.alice)
  await at.people.alice.say(at.channels.general, 'callers', link(url))
  return by.get(url)
})
everyCaller('get-file-temporary-urls', async (at, by) => {
  const url = await upload(at.people.alice)
  await at.people.alice.say(at.channels.general, 'callers', link(url))
  return by.post('/user_uploads/temporary_urls', { paths: [url] })
})
everyCaller('get-attachments', (_, by) => by.get('/attachments'))
everyCaller('remove-attachment', async (_, by) => {
  const body = multipartOf([{}])
  await by.send('POST', '/user_uploads', body, multipartHeaders(body))
  const own = await by.get('/attachments')
  return by.delete(`/attachments/${own.body.attachments?.[0].id ?? 2_000_000_000}`)
})

everyCaller('register-queue', (_, by) => by.post('/register', { fetch_event_types: [] }))
everyCaller('get-events', (_, by) => by.get('/events', { dont_block: true }))
everyCaller('delete-queue', async (_, by) => {
  const { body } = await by.post('/register', { fetch_event_types: [] })
  return by.delete('/events', { queue_id: body.queue_id ?? 'none' })
})

everyCaller('update-presence', (_, by) => by.post('/users/me/presence', { status: 'active' }), {
  bot: 'noBots',
})
everyCaller('get-user-presence', async (at, by) => {
  await at.people.bob.post('/users/me/presence', { status: 'active' })
  return by.get(`/users/${at.people.bob.id}/presence`)
})
everyCaller('get-presence', (_, by) => by.get('/realm/presence'))
everyCaller('update-status', (_, by) => by.post('/users/me/status', { status_text: 'Here' }), {
  bot: 'noBots',
})
everyCaller('get-user-status', (at, by) => by.get(`/users/${at.people.bob.id}/status`))
everyCaller(
  'update-status-for-user',
  (at, by) => by.post(`/users/${at.people.bob.id}/status`, { status_text: 'Here' }),
  { mona: 'notPermitted', alice: 'notPermitted', gus: 'notPermitted', bot: 'notPermitted' },
)

everyCaller('get-custom-emoji', (_, by) => by.get('/realm/emoji'))
everyCaller(
  'upload-custom-emoji',
  (_, by) => {
    const body = multipartOf([{ name: 'e.png', type: 'image/png', bytes: pngOf(4, 4) }])
    return by.send('POST', `/realm/emoji/of_${by.name}`, body, multipartHeaders(body))
  },
  { gus: 'noGuests', bot: 'noBots' },
)
everyCaller(
  'deactivate-custom-emoji',
  async (at, by) => {
    const body = multipartOf([{ name: 'e.png', type: 'image/png', bytes: pngOf(4, 4) }])
    const { mona } = at.people
    const owner = by.name === 'mona' || by.name === 'alice' ? by : mona
    await owner.send('POST', '/realm/emoji/common', body, multipartHeaders(body))
    const answer = await by.delete('/realm/emoji/common')
    if (answer.status !== 200) await mona.delete('/realm/emoji/common')
    return answer
  },
  { gus: 'notAuthor', bot: 'notAuthor' },
)
