import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { Role } from '../../../packages/core/src/domain/users/actor.js'
import { defineOperation, type HttpPipelineOptions } from '../../../packages/core/src/http/index.js'
import { isAddressRange } from '../../../packages/core/src/http/pipeline/administration-gate.js'
import { Type } from 'typebox'
import { SampleService } from './sample-operations.js'
import { ask } from './sample-request.js'
import { member, SampleChat } from './sample-server.js'

const declaration = {
  summary: 'Administers.',
  method: 'POST',
  params: {},
  response: Type.Object({}),
  errors: [],
  service: SampleService,
  handle: () => ({}),
} as const

const operations = [
  defineOperation({ ...declaration, id: 'by-owner', path: '/owner', access: 'owner' }),
  defineOperation({ ...declaration, id: 'by-admin', path: '/admin', access: 'administrator' }),
  defineOperation({
    ...declaration,
    id: 'of-others',
    path: '/others',
    access: 'user',
    isAdministrative: true,
  }),
  defineOperation({ ...declaration, id: 'daily', path: '/daily', access: 'user' }),
  defineOperation({ ...declaration, id: 'open', path: '/open', access: 'anyone' }),
]

/** The statuses of the operations, in the order of their list, for an owner at an address. */
async function statusesAt(
  remoteAddress: string,
  administrationAddresses: HttpPipelineOptions['administrationAddresses'],
  role: Role = Role.owner,
): Promise<number[]> {
  const chat = new SampleChat({ administrationAddresses }, 'off', operations)
  chat.actor = { ...member, role }
  const statuses: number[] = []
  for (const { method, path } of operations) {
    const { status, body } = await ask(chat, `${method} ${path}`, { remoteAddress })
    if (status === 403) {
      assert.deepEqual(body, {
        result: 'error',
        msg: 'Administration is not allowed from your network address',
        code: 'ADDRESS_NOT_ALLOWED',
      })
    }
    statuses.push(status)
  }
  return statuses
}

const allowed = [200, 200, 200, 200, 200]
const refused = [403, 403, 403, 200, 200]

describe('administration', () => {
  it('is allowed from the listed addresses and networks only', async () => {
    const list = ['192.0.2.7', '10.0.0.0/8', '2001:db8::/32', '::ffff:198.51.100.0/120']
    for (const address of [
      '192.0.2.7',
      '::ffff:192.0.2.7',
      '10.255.0.1',
      '::ffff:10.1.2.3',
      '2001:db8:9::1',
      '198.51.100.200',
    ]) {
      assert.deepEqual(await statusesAt(address, list), allowed, address)
    }
    for (const address of ['192.0.2.8', '11.0.0.1', '2001:db9::1', '::1', '198.51.101.1', '']) {
      assert.deepEqual(await statusesAt(address, list), refused, address)
    }
  })

  it('is allowed from any address without the option, and from none with an empty list', async () => {
    assert.deepEqual(await statusesAt('192.0.2.1', undefined), allowed)
    assert.deepEqual(await statusesAt('192.0.2.1', []), refused)
  })

  it("is allowed if the application's function returns true", async () => {
    const addresses: string[] = []
    const isOffice = async (_: unknown, address: string): Promise<boolean> => {
      addresses.push(address)
      return address === '192.0.2.1'
    }

    assert.deepEqual(await statusesAt('::ffff:192.0.2.1', isOffice), allowed)
    assert.deepEqual(await statusesAt('192.0.2.2', isOffice), refused)
    // The function is called for administration only.
    assert.deepEqual(new Set(addresses), new Set(['192.0.2.1', '192.0.2.2']))
    assert.equal(addresses.length, 6)
  })

  it('does not affect users who are not administrators', async () => {
    assert.deepEqual(
      await statusesAt('192.0.2.1', [], Role.administrator),
      [400, 403, 403, 200, 200],
    )
    assert.deepEqual(await statusesAt('192.0.2.1', [], Role.member), [400, 400, 200, 200, 200])
  })

  it('accepts only addresses and networks in the list', () => {
    for (const text of ['10.0.0.1', '0.0.0.0/0', '10.0.0.0/32', '::/0', '2001:db8::1', '::1/128']) {
      assert.equal(isAddressRange(text), true, text)
    }
    for (const text of [
      'localhost',
      '',
      '10.0.0.0/33',
      '10.0.0.0/-1',
      '10.0.0.0/8/8',
      '10.0.0.0/',
      '10.0.0.0/ 8',
      '2001:db8::/129',
      '::ffff:10.0.0.0/95',
      'fe80::1%eth0',
      10,
    ]) {
      assert.equal(isAddressRange(text), false, String(text))
    }
  })
})
