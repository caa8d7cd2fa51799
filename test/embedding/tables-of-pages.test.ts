import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'

import '@parley/core'
import {
  organizationPresets,
  type OrganizationPreset,
} from '../../packages/core/src/domain/organizations/organization-presets.js'
import {
  channelPermissions,
  defaultOrganizationSettings,
  groupPermissions,
  organizationPermissions,
} from '../../packages/core/src/domain/organizations/organization-settings.js'
import { userSettingDefinitions } from '../../packages/core/src/domain/users/user-settings.js'
import { englishTexts } from '../../packages/core/src/texts/index.js'
import { defaultRateLimitRules } from '../../packages/core/src/http/limits/rate-limiter.js'
import { keysOf } from '../../packages/core/src/kernel/objects.js'
import { measures, observed } from '../../packages/core/src/kernel/telemetry/metrics.js'
import { spanDeclarations } from '../../packages/core/src/kernel/telemetry/spans.js'

const root = new URL('../../', import.meta.url)

/** The table between two comments of a page, without the padding of its columns. */
async function writtenTable(page: string, name: string): Promise<string> {
  const text = await readFile(new URL(page, root), 'utf8')
  const between = new RegExp(`<!-- ${name}: .*? -->\\n\\n?([^]*?)\\n\\n?<!-- end of ${name} -->`)
  return unpadded(between.exec(text)?.[1] ?? '')
}

function unpadded(table: string): string {
  return table.replace(/ +/g, ' ')
}

/** The cells of a table's rows, without its head. */
function cellsOf(table: string): string[][] {
  const rows = table.split('\n').slice(2)
  return rows.map((row) => row.split(' | ').map((cell) => cell.replaceAll(/^\| | \|$|`/g, '')))
}

/** The rows of the table of presets: what any of them sets, with the values that all begin with. */
function presetRows(presets: readonly OrganizationPreset[]): string[][] {
  const row = (name: string, valueOf: (preset: OrganizationPreset) => unknown): string[] => [
    name,
    ...presets.map((preset) => String(valueOf(preset))),
  ]
  const namesIn = <Name extends string>(
    values: (preset: OrganizationPreset) => Partial<Record<Name, unknown>>,
  ): Name[] => [...new Set(presets.flatMap((preset) => keysOf(values(preset))))].toSorted()
  return [
    row('newUserRole', ({ newUsers }) => newUsers.role),
    row('welcomesNewUsers', ({ newUsers }) => newUsers.isWelcomed),
    row('channels and messages of the start', ({ hasFirstChannels }) =>
      hasFirstChannels ? 'three channels' : 'none',
    ),
    ...namesIn(({ userDefaults }) => userDefaults).map((name) =>
      row(name, ({ userDefaults }) => userDefaults[name] ?? userSettingDefinitions[name].default),
    ),
    ...namesIn(({ permissions }) => permissions).map((name) =>
      row(name, ({ permissions }) => permissions[name] ?? organizationPermissions[name].default),
    ),
    ...namesIn(({ settings }) => settings).map((name) =>
      row(name, ({ settings }) => settings[name] ?? defaultOrganizationSettings[name]),
    ),
  ]
}

describe('docs/operating.md', () => {
  it('lists rate limits with the rules of the code', async () => {
    const written = cellsOf(await writtenTable('docs/operating.md', 'rate limits'))

    const rules = new Map(
      Object.entries(defaultRateLimitRules).map(([name, list]) => [
        name,
        list.map((rule) => `${rule.maxRequests} in ${rule.windowSeconds}`).join(', '),
      ]),
    )
    for (const [name = '', , limit] of written) assert.equal(limit, rules.get(name), name)
    assert.ok(written.length >= 9)
  })
})

describe('docs/permissions.md', () => {
  const settings = {
    organization: organizationPermissions,
    channel: channelPermissions,
    group: groupPermissions,
  }
  for (const [name, definitions] of Object.entries(settings)) {
    it(`lists every permission setting of the ${name} with its default`, async () => {
      const written = cellsOf(await writtenTable('docs/permissions.md', `${name} permissions`))

      const expected = Object.entries(definitions).map(([setting, { default: byDefault }]) => [
        setting,
        byDefault.includes('creator') ? 'the creator' : byDefault,
      ])
      assert.deepEqual(
        written.map(([setting, , byDefault]) => [setting, byDefault]),
        expected,
      )
    })
  }
})

describe('docs/customers.md', () => {
  it('lists every value of the presets as the code has it', async () => {
    const written = cellsOf(await writtenTable('docs/customers.md', 'presets'))

    const rows = presetRows(Object.values<OrganizationPreset>(organizationPresets))
    assert.deepEqual(written, rows)
    assert.deepEqual(keysOf(organizationPresets), ['team', 'support', 'comments'])
  })

  it('replaces every text with the name of another product', async () => {
    const page = await readFile(new URL('docs/customers.md', root), 'utf8')

    const replaced = [...page.matchAll(/^ {8}'([A-Z_]+)',$/gm)].map(([, name]) => name)
    const naming = keysOf(englishTexts).filter((name) => englishTexts[name].includes('Zulip'))
    assert.deepEqual(replaced, naming.toSorted())
  })
})

describe('docs/telemetry.md', () => {
  it('lists every span and its channel', async () => {
    const written = cellsOf(await writtenTable('docs/telemetry.md', 'spans'))

    assert.deepEqual(
      written.map(([name, channel]) => [name, channel]),
      spanDeclarations.map(({ channel, nameOf }) => [
        `parley.${nameOf === undefined ? channel : `<${channel}>`}`,
        `parley:${channel}`,
      ]),
    )
  })

  it('lists every metric with its unit and attributes', async () => {
    const written = cellsOf(await writtenTable('docs/telemetry.md', 'metrics'))

    assert.deepEqual(
      written,
      [...Object.values(measures), ...Object.values(observed)].map(
        ({ name, type, unit, attributes, meaning }) => [
          name,
          type,
          unit,
          attributes.join(', ') || 'none',
          meaning,
        ],
      ),
    )
  })

  it('lists every attribute with its key', async () => {
    const written = cellsOf(await writtenTable('docs/telemetry.md', 'attributes'))

    assert.deepEqual(
      written.map(([span, attribute, key]) => [span, attribute, key]),
      spanDeclarations.flatMap(({ channel, attributes }) =>
        Object.entries(attributes).map(([key, attribute]) => [channel, attribute, key]),
      ),
    )
  })
})
