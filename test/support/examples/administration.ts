import { pngOf, sendFiles } from '../uploads.js'
import {
  administrators,
  everyone,
  owners,
  unused,
  type Examples,
  type PermittedCall,
} from './example.js'

const picture = [{ name: 'a.png', type: 'image/png', bytes: pngOf(4, 4) }]
/** Settings of the organization that only owners can change. */
const ownersSettings = {
  authentication_methods: { Email: true },
  message_retention_days: 30,
  invite_required: false,
  emails_restricted_to_domains: true,
  disallow_disposable_email_addresses: false,
  waiting_period_threshold: 2,
}
const administratorsExceptAdam = { ...administrators, adam: 'owners' } as const
const image = ['organization.image_changed'] as const

export const administration: Examples = {
  'get-api-description': { call: (_, by) => by.get('/openapi.json'), refused: everyone },
  'get-server-settings': { call: (_, by) => by.get('/server_settings'), refused: everyone },
  'get-audit-log': { call: (_, by) => by.get('/audit_log', { limit: 1000 }), refused: owners },
  'update-realm': {
    call: (_, by) => by.patch('/realm', { name: unused('Renamed ') }),
    refused: administrators,
    audited: ['organization.updated'],
    others: [
      ...Object.entries(ownersSettings).map(([name, value]): PermittedCall => ({
        call: (_, by) => by.patch('/realm', { [name]: value }),
        refused: administratorsExceptAdam,
      })),
      {
        call: (at, by) => {
          const value = { direct_members: [at.people.alice.id], direct_subgroups: [] }
          return by.patch('/realm', { can_manage_all_groups: { new: value } })
        },
        refused: administratorsExceptAdam,
      },
    ],
  },
  'get-realm-exports': { call: (_, by) => by.get('/export/realm'), refused: administrators },
  'export-realm': {
    call: (_, by) => by.post('/export/realm'),
    refused: administrators,
    audited: ['organization.export_requested'],
  },
  'get-realm-export-consents': {
    call: (_, by) => by.get('/export/realm/consents'),
    refused: administrators,
  },
  'upload-realm-icon': {
    call: (_, by) => sendFiles(by, '/realm/icon', picture),
    refused: administrators,
    audited: image,
  },
  'remove-realm-icon': {
    call: async ({ people }, by) => {
      await sendFiles(people.adam, '/realm/icon', picture)
      return by.delete('/realm/icon')
    },
    refused: administrators,
    audited: image,
  },
  'upload-realm-logo': {
    call: (_, by) => sendFiles(by, '/realm/logo?night=false', picture),
    refused: administrators,
    audited: image,
  },
  'remove-realm-logo': {
    call: async ({ people }, by) => {
      await sendFiles(people.adam, '/realm/logo?night=false', picture)
      return by.delete('/realm/logo', { night: false })
    },
    refused: administrators,
    audited: image,
  },
}
