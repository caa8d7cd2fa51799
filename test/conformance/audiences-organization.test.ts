import { everyAudience } from '../support/audience-table.js'
import { everybody, everybodyBut } from '../support/audiences.js'
import type { HostCase } from '../support/host.js'
import { createdField } from '../support/profile-fields.js'
import { pngOf, sendFiles } from '../support/uploads.js'

const all = 'all active users, including guests and bots'
const picture = [{ name: 'a.png', type: 'image/png', bytes: pngOf(8, 8) }]

everyAudience('update-realm', all, {
  call: ({ people: { olga } }) => olga.patch('/realm', { description: 'Another' }),
  events: everybody('realm/update:description'),
})
everyAudience('update-realm', `${all}, as one event for related settings`, {
  call: ({ people: { olga } }) => olga.patch('/realm', { message_content_edit_limit_seconds: 60 }),
  events: everybody('realm/update_dict:default'),
})
everyAudience('update-realm-user-settings-defaults', all, {
  call: ({ people: { olga } }) => olga.patch('/realm/user_settings_defaults', { color_scheme: 2 }),
  events: everybody('realm_user_settings_defaults/update:color_scheme'),
})

const domain = (at: HostCase) =>
  at.people.olga.post('/realm/domains', { domain: 'one.example', allow_subdomains: false })

everyAudience('create-realm-domain', all, {
  call: domain,
  events: everybody('realm_domains/add'),
})
everyAudience('patch-realm-domain', all, {
  ready: domain,
  call: ({ people: { olga } }) =>
    olga.patch('/realm/domains/one.example', { allow_subdomains: true }),
  events: everybody('realm_domains/change'),
})
everyAudience('delete-realm-domain', all, {
  ready: domain,
  call: ({ people: { olga } }) => olga.delete('/realm/domains/one.example'),
  events: everybody('realm_domains/remove'),
})

const linkifier = async (at: HostCase, letter = 'A'): Promise<number> => {
  const answer = await at.people.olga.post('/realm/filters', {
    pattern: `${letter}-(?P<n>[0-9]+)`,
    url_template: 'https://links.example/{n}',
  })
  return answer.body.id
}

everyAudience('add-linkifier', all, {
  call: ({ people: { olga } }) =>
    olga.post('/realm/filters', {
      pattern: 'N(?P<n>[0-9]+)',
      url_template: 'https://l.example/{n}',
    }),
  events: everybody('realm_linkifiers'),
})
everyAudience('update-linkifier', all, {
  ready: linkifier,
  call: ({ people: { olga } }, id) =>
    olga.patch(`/realm/filters/${id}`, {
      pattern: 'O(?P<n>[0-9]+)',
      url_template: 'https://l.example/{n}',
    }),
  events: everybody('realm_linkifiers'),
})
everyAudience('reorder-linkifiers', all, {
  ready: async (at) => [await linkifier(at, 'A'), await linkifier(at, 'B')],
  call: ({ people: { olga } }, ids) =>
    olga.patch('/realm/linkifiers', { ordered_linkifier_ids: ids.toReversed() }),
  events: everybody('realm_linkifiers'),
})
everyAudience('remove-linkifier', all, {
  ready: linkifier,
  call: ({ people: { olga } }, id) => olga.delete(`/realm/filters/${id}`),
  events: everybody('realm_linkifiers'),
})

const emoji = ({ people: { alice } }: HostCase) => sendFiles(alice, '/realm/emoji/leaf', picture)

everyAudience('upload-custom-emoji', all, {
  call: emoji,
  events: everybody('realm_emoji/update'),
})
everyAudience('deactivate-custom-emoji', all, {
  ready: emoji,
  call: ({ people: { alice } }) => alice.delete('/realm/emoji/leaf'),
  events: everybody('realm_emoji/update'),
})

const icon = ({ people: { olga } }: HostCase) => sendFiles(olga, '/realm/icon', picture)
const logo = ({ people: { olga } }: HostCase) =>
  sendFiles(olga, '/realm/logo', picture, { fields: { night: 'true' } })

everyAudience('upload-realm-icon', all, {
  call: icon,
  events: everybody('realm/update_dict:default'),
})
everyAudience('remove-realm-icon', all, {
  ready: icon,
  call: ({ people: { olga } }) => olga.delete('/realm/icon'),
  events: everybody('realm/update_dict:default'),
})
everyAudience('upload-realm-logo', all, {
  call: logo,
  events: everybody('realm/update_dict:default'),
})
everyAudience('remove-realm-logo', all, {
  ready: logo,
  call: ({ people: { olga } }) => olga.delete('/realm/logo', { night: true }),
  events: everybody('realm/update_dict:default'),
})

const playground = ({ people: { olga } }: HostCase) =>
  olga.post('/realm/playgrounds', {
    name: 'Rust site',
    pygments_language: 'Rust',
    url_template: 'https://play.example/{code}',
  })

everyAudience('add-code-playground', all, {
  call: playground,
  events: everybody('realm_playgrounds'),
})
everyAudience('remove-code-playground', all, {
  ready: async (at) => (await playground(at)).body.id,
  call: ({ people: { olga } }, id) => olga.delete(`/realm/playgrounds/${id}`),
  events: everybody('realm_playgrounds'),
})

const field = ({ people: { olga } }: HostCase, name = 'Field') => createdField(olga, { name })

everyAudience('create-custom-profile-field', all, {
  call: ({ people: { olga } }) =>
    olga.post('/realm/profile_fields', { name: 'Field', field_type: 1 }),
  events: everybody('custom_profile_fields'),
})
everyAudience('reorder-custom-profile-fields', all, {
  ready: async (at) => [await field(at, 'One'), await field(at, 'Two')],
  call: ({ people: { olga } }, ids) =>
    olga.patch('/realm/profile_fields', { order: ids.toReversed() }),
  events: everybody('custom_profile_fields'),
})
everyAudience('update-custom-profile-field', all, {
  ready: field,
  call: ({ people: { olga } }, id) => olga.patch(`/realm/profile_fields/${id}`, { name: 'Now' }),
  events: everybody('custom_profile_fields'),
})
everyAudience('delete-custom-profile-field', all, {
  ready: field,
  call: ({ people: { olga } }, id) => olga.delete(`/realm/profile_fields/${id}`),
  events: everybody('custom_profile_fields'),
})

const folder = async ({ people: { olga } }: HostCase, name = 'Folder'): Promise<number> => {
  const answer = await olga.post('/channel_folders/create', { name, description: '' })
  return answer.body.channel_folder_id
}

everyAudience('create-channel-folder', all, {
  call: ({ people: { olga } }) =>
    olga.post('/channel_folders/create', { name: 'Folder', description: '' }),
  events: everybody('channel_folder/add'),
})
everyAudience('patch-channel-folders', all, {
  ready: async (at) => [await folder(at, 'One'), await folder(at, 'Two')],
  call: ({ people: { olga } }, ids) => olga.patch('/channel_folders', { order: ids.toReversed() }),
  events: everybody('channel_folder/reorder'),
})
everyAudience('update-channel-folder', all, {
  ready: folder,
  call: ({ people: { olga } }, id) => olga.patch(`/channel_folders/${id}`, { name: 'Now' }),
  events: everybody('channel_folder/update'),
})

everyAudience('add-default-stream', 'all active users except guests', {
  call: ({ people: { olga }, channels }) =>
    olga.post('/default_streams', { stream_id: channels.design }),
  events: everybodyBut(['gus'], 'default_streams'),
})
everyAudience('remove-default-stream', 'all active users except guests', {
  call: ({ people: { olga }, channels }) =>
    olga.delete('/default_streams', { stream_id: channels.general }),
  events: everybodyBut(['gus'], 'default_streams'),
})
