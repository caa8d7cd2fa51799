import { createReadStream } from 'node:fs'

import { requireOption, row, textOption, UsageError, type Command } from './command.js'
import { writeFileSafely } from './output-file.js'

const presets = ['team', 'support', 'comments'] as const

/** The commands about organizations as a whole. */
export const organizationCommands: Readonly<Record<string, Command>> = {
  organizations: {
    summary: 'Lists the organizations: id, subdomain, state and name.',
    isStarted: true,
    async run(chat) {
      const found = []
      for await (const organization of chat.organizations.list()) found.push(organization)
      const lines = found.map(({ id, subdomain, isDeactivated, name }) =>
        row(id, subdomain || null, isDeactivated ? 'deactivated' : 'active', name),
      )
      return { data: found, lines }
    },
  },
  'organizations create': {
    summary: 'Creates an organization with its owner, unless there is one with the subdomain.',
    options: {
      name: { type: 'string', value: 'TEXT', help: 'its name' },
      subdomain: { type: 'string', value: 'TEXT', help: 'empty for the only one (the default)' },
      preset: { type: 'string', value: 'PRESET', help: presets.join(', ') },
      'owner-email': { type: 'string', value: 'ADDRESS', help: 'of its first owner' },
      'owner-name': { type: 'string', value: 'TEXT', help: 'of its first owner' },
      'owner-id': { type: 'string', value: 'USER', help: "the owner's id in your product" },
    },
    isStarted: true,
    async run(chat, input) {
      const chosen = textOption(input, 'preset') ?? 'team'
      const preset = presets.find((name) => name === chosen)
      if (preset === undefined) throw new UsageError(`--preset takes ${presets.join(', ')}`)
      const subdomain = textOption(input, 'subdomain') ?? ''
      const externalId = textOption(input, 'owner-id')
      const result = await chat.organizations.ensure({
        name: requireOption(input, 'name'),
        subdomain,
        preset,
        owner: {
          email: requireOption(input, 'owner-email'),
          fullName: requireOption(input, 'owner-name'),
          ...(externalId !== undefined && { externalId }),
        },
      })
      const done = result.created ? 'created' : 'exists already'
      return { data: result, lines: [`Organization ${result.organizationId} ${done}.`] }
    },
  },
  'organizations deactivate': {
    summary: 'Refuses all further requests to an organization; deletes nothing.',
    arguments: ['SUBDOMAIN'],
    isStarted: true,
    async run(chat, { arguments: [subdomain = ''] }) {
      await chat.organizations.deactivate(subdomain)
      return { data: { subdomain }, lines: ['Deactivated.'] }
    },
  },
  'organizations reactivate': {
    summary: 'Makes a deactivated organization usable again.',
    arguments: ['SUBDOMAIN'],
    isStarted: true,
    async run(chat, { arguments: [subdomain = ''] }) {
      await chat.organizations.reactivate(subdomain)
      return { data: { subdomain }, lines: ['Reactivated.'] }
    },
  },
  'organizations delete': {
    summary: 'Deletes an organization with all its rows and files.',
    arguments: ['SUBDOMAIN'],
    destroys: ({ arguments: [subdomain] }) => `the organization '${subdomain}', finally`,
    isStarted: true,
    async run(chat, { arguments: [subdomain = ''] }) {
      await chat.organizations.delete(subdomain, { confirm: subdomain })
      return { data: { subdomain }, lines: ['Deleted.'] }
    },
  },
  export: {
    summary: 'Writes an organization with its files into an archive, a compressed tar file.',
    arguments: ['FILE'],
    options: {
      organization: { type: 'string', value: 'SUBDOMAIN', help: 'empty for the only one' },
      yes: { type: 'boolean', help: 'replaces a file that exists' },
    },
    isStarted: true,
    async run(chat, input) {
      const [path = ''] = input.arguments
      const archive = chat.organizations.export(textOption(input, 'organization') ?? '')
      const bytes = await writeFileSafely(path, archive, input.options['yes'] === true)
      return { data: { file: path, bytes }, lines: [`Wrote ${bytes} bytes.`] }
    },
  },
  import: {
    summary: 'Creates an organization from an archive that `parley export` has written.',
    arguments: ['FILE'],
    options: {
      subdomain: { type: 'string', value: 'TEXT', help: 'instead of the exported one' },
    },
    isStarted: true,
    async run(chat, input) {
      const [path = ''] = input.arguments
      const subdomain = textOption(input, 'subdomain')
      const options = subdomain === undefined ? {} : { subdomain }
      const result = await chat.organizations.import(createReadStream(path), options)
      return { data: result, lines: [`Organization ${result.organizationId} imported.`] }
    },
  },
}
