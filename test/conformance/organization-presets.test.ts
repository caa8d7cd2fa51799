import assert from 'node:assert/strict'
import { it } from 'node:test'

import {
  organizationPresets,
  type OrganizationPreset,
  type OrganizationPresetName,
} from '../../packages/core/src/domain/organizations/organization-presets.js'
import {
  defaultOrganizationSettings,
  organizationPermissions,
} from '../../packages/core/src/domain/organizations/organization-settings.js'
import { userSettingDefinitions } from '../../packages/core/src/domain/users/user-settings.js'
import { keysOf } from '../../packages/core/src/kernel/objects.js'
import { everyDatabase } from '../support/host.js'
import type { UncheckedJson } from '../support/unchecked-json.js'

const owner = { externalId: 'olive', email: 'olive@shop.example', fullName: 'Olive Owner' }

everyDatabase('presets of organizations', 'express', (at) => {
  const open = async (preset: OrganizationPresetName, name: string = preset, more: object = {}) => {
    const organization = `preset-${name}`
    const { chat } = at.host
    await chat.organizations.ensure({ subdomain: organization, name, owner, preset, ...more })
    const as = (externalId: string) => chat.as({ externalId, organization }).api
    const snapshotOf = async (externalId: string): Promise<UncheckedJson> =>
      as(externalId).registerQueue({})
    const newcomer = async (externalId: string): Promise<UncheckedJson> => {
      const user = { externalId, email: `${externalId}@mail.example`, fullName: externalId }
      await chat.users.sync([user], { organization })
      return snapshotOf(externalId)
    }
    return { organization, as, snapshotOf, newcomer, system: chat.asSystem({ organization }).api }
  }

  for (const preset of keysOf(organizationPresets)) {
    it(`${preset} has exactly the settings of its table`, async () => {
      const declared: OrganizationPreset = organizationPresets[preset]
      const { snapshotOf, newcomer } = await open(preset)

      const snapshot = await snapshotOf('olive')
      const groupNames = new Map<number, string>(
        snapshot.realm_user_groups.map(({ id, name }: UncheckedJson) => [id, name]),
      )

      for (const name of keysOf(organizationPermissions)) {
        const expected = declared.permissions[name] ?? organizationPermissions[name].default
        assert.equal(groupNames.get(snapshot[`realm_${name}`]), expected, name)
      }
      const expectedSettings = { ...defaultOrganizationSettings, ...declared.settings }
      for (const name of keysOf(expectedSettings)) {
        const value = snapshot[`realm_${name}`]
        if (value === undefined || /^(?:push_|password_|video_|giphy_)/.test(name)) continue
        const isAnnouncement = /^(?:new_stream|zulip_update)_announcements/.test(name)
        if (isAnnouncement && declared.hasFirstChannels) assert.ok(value > 0, name)
        else assert.deepEqual(value, expectedSettings[name], name)
      }
      const visibility =
        declared.userDefaults.email_address_visibility ??
        userSettingDefinitions.email_address_visibility.default
      assert.equal(snapshot.user_settings.email_address_visibility, visibility)
      const ada = await newcomer('ada')
      assert.equal(ada.user_settings.email_address_visibility, visibility)
      assert.equal(ada.is_guest, declared.newUsers.role === 600)
      assert.equal(ada.subscriptions.length, declared.hasFirstChannels ? 3 : 0)
      assert.equal(ada.unread_msgs.count > 0, declared.newUsers.isWelcomed)
      assert.equal(snapshot.unread_msgs.count > 0, declared.newUsers.isWelcomed)
    })
  }

  it('can be changed afterwards, setting by setting, for users who come later', async () => {
    const { organization, newcomer, system } = await open('comments', 'changed')
    const { organizations } = at.host.chat
    assert.equal((await newcomer('ada')).is_guest, true)

    const changed = await organizations.update(organization, { newUserRole: 400 })
    assert.deepEqual([changed.newUserRole, changed.welcomesNewUsers], [400, false])
    const ben = await newcomer('ben')
    assert.deepEqual([ben.is_guest, ben.unread_msgs.count], [false, 0])
    await organizations.update(organization, { welcomesNewUsers: true })
    assert.equal((await newcomer('cleo')).unread_msgs.count, 1)
    const found = await organizations.find(organization)
    assert.deepEqual([found?.newUserRole, found?.welcomesNewUsers], [400, true])

    const { user_groups } = await system.getUserGroups()
    const everyone = user_groups.find(({ name }) => name === 'role:everyone')
    await system.updateRealm({ can_access_all_users_group: { new: everyone?.id ?? 0 } })
    assert.equal((await newcomer('ada')).realm_users.length, 4)
  })

  it('send the message of the organization to new users, if it has one', async () => {
    const { newcomer, system } = await open('support', 'custom')
    await system.updateRealm({ welcome_message_custom_text: 'Ask us anything' })

    const ada = await newcomer('ada')

    assert.equal(ada.unread_msgs.count, 1)
  })

  it('come before the settings of a type of organization', async () => {
    const { snapshotOf } = await open('support', 'school', { type: 35 })

    const { realm_user_settings_defaults, realm_org_type } = await snapshotOf('olive')

    assert.deepEqual(
      [realm_user_settings_defaults.email_address_visibility, realm_org_type],
      [2, 35],
    )
  })

  it('do not change the role that the application names, or that a user has', async () => {
    const { organization, newcomer } = await open('support', 'roles')
    const { users, organizations } = at.host.chat
    const sam = { externalId: 'sam', email: 'sam@shop.example', fullName: 'Sam' }
    await users.sync([{ ...sam, role: 400 }], { organization })
    await newcomer('ada')

    await users.sync([sam], { organization })
    await organizations.update(organization, { newUserRole: 400 })
    await newcomer('ada')

    assert.equal((await users.find('sam', { organization }))?.role, 400)
    assert.equal((await users.find('ada', { organization }))?.role, 600)
  })

  it('are refused if they are unknown, like unknown rules for new users', async () => {
    const { organizations } = at.host.chat
    const unknown = JSON.parse('{"preset":"shop"}')
    await assert.rejects(open('team', 'unknown', unknown), { name: 'TypeError', message: /preset/ })
    assert.equal(await organizations.find('preset-unknown'), undefined)
    for (const wrong of ['{"newUserRole":100}', '{"welcomesNewUsers":1}', '{"name":7}']) {
      await assert.rejects(organizations.update(at.subdomain, JSON.parse(wrong)), TypeError)
    }
  })
})
