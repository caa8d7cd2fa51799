import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { NewOrganization } from '@parley/core'

import { everyDatabase } from '../support/host.js'

const owner = { externalId: 7, email: 'olive@shop.example', fullName: 'Olive Owner' }

everyDatabase('chat.organizations.ensure', 'express', (at) => {
  const organizations = () => at.host.chat.organizations
  const ensure = (subdomain: string, more: Partial<NewOrganization> = {}) =>
    organizations().ensure({ subdomain, name: 'Shop', owner, ...more })
  const rolesIn = async (organization: string): Promise<[string, number][]> => {
    const { members } = await at.host.chat.asSystem({ organization }).api.getUsers()
    return members.map(({ full_name, role }) => [full_name, role])
  }

  it('creates an organization once, and leaves it as it is from then on', async () => {
    const first = await ensure('shop')
    assert.equal(first.created, true)
    assert.deepEqual(await rolesIn('shop'), [['Olive Owner', 100]])
    await organizations().update('shop', { name: 'Renamed' })
    const { api } = at.host.chat.asSystem({ organization: 'shop' })
    await api.updateRealm({ default_language: 'fr', description: 'Of its administrators' })

    const again = await ensure('shop', {
      owner: { externalId: 8, email: 'other@shop.example', fullName: 'Other Owner' },
      language: 'de',
      type: 35,
    })

    assert.deepEqual(again, { organizationId: first.organizationId, created: false })
    assert.equal((await organizations().find('shop'))?.name, 'Renamed')
    assert.deepEqual(await rolesIn('shop'), [['Olive Owner', 100]])
    const olive = at.host.chat.as({ externalId: 7, organization: 'shop' })
    const snapshot = await olive.api.registerQueue({ fetch_event_types: ['realm'] })
    assert.deepEqual(
      [snapshot.realm_default_language, snapshot.realm_description, snapshot.realm_org_type],
      ['fr', 'Of its administrators', 0],
    )
  })

  it('creates one organization if several servers call it at the same time', async () => {
    const second = await at.host.another('koa')
    try {
      const calls = [0, 1, 2, 3].flatMap((index) => [
        ensure(`race-${index}`),
        second.chat.organizations.ensure({ subdomain: `race-${index}`, name: 'Shop', owner }),
      ])
      const results = await Promise.all(calls)

      for (const index of [0, 1, 2, 3]) {
        const [here, there] = results.slice(2 * index, 2 * index + 2)
        assert.equal(here?.organizationId, there?.organizationId)
        assert.deepEqual([here?.created, there?.created].toSorted(), [false, true])
        assert.deepEqual(await rolesIn(`race-${index}`), [['Olive Owner', 100]])
      }
    } finally {
      await second.stop()
    }
  })

  it('leaves a deactivated organization deactivated', async () => {
    const { organizationId } = await ensure('closed')
    await organizations().deactivate('closed')

    assert.deepEqual(await ensure('closed'), { organizationId, created: false })
    assert.equal((await organizations().find('closed'))?.isDeactivated, true)
  })

  it('refuses invalid values, also if the organization exists', async () => {
    await ensure('valid')
    for (const subdomain of ['valid', 'other']) {
      await assert.rejects(ensure(subdomain, { name: ' ' }), { code: 'BAD_REQUEST' })
      await assert.rejects(ensure(subdomain, { language: 'xx' }), { code: 'BAD_REQUEST' })
      const noAddress = { owner: { ...owner, email: 'no address' } }
      await assert.rejects(ensure(subdomain, noAddress), { code: 'BAD_REQUEST' })
    }
    assert.equal(await organizations().find('other'), undefined)
  })

  it('create and update refuse the subdomain of another organization with a code of its own', async () => {
    const { organizationId } = await ensure('taken')
    await ensure('free')
    const refusal = { code: 'SUBDOMAIN_TAKEN', status: 409 }

    await assert.rejects(
      organizations().create({ subdomain: 'taken', name: 'Shop', owner }),
      refusal,
    )
    await assert.rejects(organizations().update('free', { subdomain: 'taken' }), refusal)

    assert.equal((await organizations().find('taken'))?.id, organizationId)
    assert.equal((await organizations().find('free'))?.subdomain, 'free')
  })
})
