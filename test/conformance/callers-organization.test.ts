import { everyCaller } from '../support/callers.js'
import type { Client } from '../support/client.js'
import type { HostCase } from '../support/host.js'
import { createdField } from '../support/profile-fields.js'
import { pngOf, sendFiles } from '../support/uploads.js'

const administrators = {
  mona: 'administrators',
  alice: 'administrators',
  gus: 'administrators',
  bot: 'administrators',
} as const
const owners = {
  adam: 'owners',
  mona: 'owners',
  alice: 'owners',
  gus: 'owners',
  bot: 'owners',
} as const
/** Settings of the organization that only owners can change. */
const ownersSettings: Readonly<Record<string, unknown>> = {
  authentication_methods: { Email: true },
  message_retention_days: 30,
  invite_required: false,
  emails_restricted_to_domains: true,
  disallow_disposable_email_addresses: false,
  waiting_period_threshold: 2,
}

everyCaller(
  'update-realm-user-settings-defaults',
  (_, by) => by.patch('/realm/user_settings_defaults', { enter_sends: true }),
  administrators,
)
everyCaller('update-realm', (_, by) => by.patch('/realm', { name: 'Renamed' }), administrators)
for (const [name, value] of Object.entries(ownersSettings)) {
  everyCaller('update-realm', (_, by) => by.patch('/realm', { [name]: value }), {
    ...administrators,
    adam: 'owners',
  })
}
everyCaller(
  'update-realm',
  (at, by) => {
    const value = { direct_members: [at.people.alice.id], direct_subgroups: [] }
    return by.patch('/realm', { can_manage_all_groups: { new: value } })
  },
  { ...administrators, adam: 'owners' },
)

everyCaller('get-invites', (_, by) => by.get('/invites'), { gus: 'noGuests', bot: 'noBots' })

everyCaller('get-realm-exports', (_, by) => by.get('/export/realm'), administrators)
everyCaller('export-realm', (_, by) => by.post('/export/realm'), administrators)
everyCaller(
  'get-realm-export-consents',
  (_, by) => by.get('/export/realm/consents'),
  administrators,
)
everyCaller('get-realm-domains', (_, by) => by.get('/realm/domains'))
everyCaller(
  'create-realm-domain',
  (_, by) => by.post('/realm/domains', { domain: `${by.name}.example`, allow_subdomains: false }),
  owners,
)
everyCaller(
  'patch-realm-domain',
  async (at, by) => {
    await at.people.olga.post('/realm/domains', { domain: 'a.example', allow_subdomains: false })
    return by.patch('/realm/domains/a.example', { allow_subdomains: true })
  },
  owners,
)
everyCaller(
  'delete-realm-domain',
  async (at, by) => {
    await at.people.olga.post('/realm/domains', { domain: 'a.example', allow_subdomains: false })
    return by.delete('/realm/domains/a.example')
  },
  owners,
)

/** Creates a linkifier for the caller to act on. @returns its path. */
async function linkifier(at: HostCase, by: Client): Promise<string> {
  const { body } = await at.people.adam.post('/realm/filters', pattern(`for-${by.name}`))
  return `/realm/filters/${body.id}`
}
const pattern = (prefix: string) => ({
  pattern: `${prefix}-(?P<id>[0-9]+)`,
  url_template: 'https://links.example/{id}',
})

everyCaller('get-linkifiers', (_, by) => by.get('/realm/linkifiers'))
everyCaller(
  'add-linkifier',
  (_, by) => by.post('/realm/filters', pattern(`by-${by.name}`)),
  administrators,
)
everyCaller(
  'update-linkifier',
  async (at, by) => by.patch(await linkifier(at, by), pattern(`now-${by.name}`)),
  administrators,
)
everyCaller(
  'remove-linkifier',
  async (at, by) => by.delete(await linkifier(at, by)),
  administrators,
)
everyCaller(
  'reorder-linkifiers',
  (_, by) => by.patch('/realm/linkifiers', { ordered_linkifier_ids: [] }),
  administrators,
)

const playground = (by: Client) => ({
  name: `Of ${by.name}`,
  pygments_language: 'Python',
  url_template: 'https://play.example/{code}',
})
everyCaller(
  'add-code-playground',
  (_, by) => by.post('/realm/playgrounds', playground(by)),
  administrators,
)
everyCaller(
  'remove-code-playground',
  async (at, by) => {
    const { body } = await at.people.adam.post('/realm/playgrounds', playground(by))
    return by.delete(`/realm/playgrounds/${body.id}`)
  },
  administrators,
)

/** Creates a profile field for the caller to act on. @returns its path. */
const field = async (at: HostCase, by: Client): Promise<string> =>
  `/realm/profile_fields/${await createdField(at.people.adam, { name: `For ${by.name}` })}`

everyCaller('get-custom-profile-fields', (_, by) => by.get('/realm/profile_fields'))
everyCaller(
  'create-custom-profile-field',
  (_, by) => by.post('/realm/profile_fields', { name: `Of ${by.name}`, field_type: 1 }),
  administrators,
)
everyCaller(
  'update-custom-profile-field',
  async (at, by) => by.patch(await field(at, by), { hint: 'Other' }),
  administrators,
)
everyCaller(
  'delete-custom-profile-field',
  async (at, by) => by.delete(await field(at, by)),
  administrators,
)
everyCaller(
  'reorder-custom-profile-fields',
  (_, by) => by.patch('/realm/profile_fields', { order: [] }),
  administrators,
)

const picture = [{ name: 'a.png', type: 'image/png', bytes: pngOf(4, 4) }]
everyCaller('upload-realm-icon', (_, by) => sendFiles(by, '/realm/icon', picture), administrators)
everyCaller('remove-realm-icon', (_, by) => by.delete('/realm/icon'), administrators)
everyCaller(
  'upload-realm-logo',
  (_, by) => sendFiles(by, '/realm/logo?night=false', picture),
  administrators,
)
everyCaller(
  'remove-realm-logo',
  (_, by) => by.delete('/realm/logo', { night: false }),
  administrators,
)
