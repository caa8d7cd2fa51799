import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { systemClock } from '../../packages/core/src/kernel/clock.js'
import { ClusterNodes } from '../../packages/core/src/storage/cluster/cluster-nodes.js'
import { Database } from '../../packages/core/src/storage/index.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import createKnex from 'knex'

const hosts = ['db1', 'db2', 'db3']
const organizationIds = Array.from({ length: 300 }, (_, index) => index + 1)

class Refused extends Error {}

function nodesOf(connections: readonly (string | object)[]): ClusterNodes {
  return new ClusterNodes({
    config: { client: 'mysql2' },
    connections,
    clock: systemClock,
    own: (config) => createKnex(config),
    isNodeLost: (error) => error instanceof Refused,
    onChange: () => {},
  })
}

const named = (nodes: ClusterNodes): string[] => organizationIds.map((id) => nodes.for(id).name)

describe('the nodes of a cluster', () => {
  it('are preferred by the same organizations in every process, each by about as many', () => {
    const inOrder = named(nodesOf(hosts.map((host) => ({ host }))))
    const reversed = named(nodesOf(hosts.toReversed().map((host) => `mysql://chat@${host}/chat`)))

    assert.deepEqual(inOrder, reversed)
    for (const host of hosts) {
      const count = inOrder.filter((name) => name === `${host}:3306`).length
      assert.ok(count > 70 && count < 130, `${count} for ${host}`)
    }
  })

  it('are replaced while they are away, for their own organizations only', () => {
    const nodes = nodesOf(hosts.map((host) => ({ host })))
    const before = named(nodes)
    const lost = nodes.for(1)

    lost.note(new Error('Syntax error'), 'SELECT')
    assert.deepEqual(named(nodes), before)
    lost.note(new Refused(), 'SELECT')

    for (const [index, name] of named(nodes).entries()) {
      if (before[index] === lost.name) assert.notEqual(name, lost.name)
      else assert.equal(name, before[index])
    }
  })

  it('are used although all of them are away, because one may be back', () => {
    const nodes = nodesOf(hosts.map((host) => ({ host })))
    const before = named(nodes)
    for (const id of organizationIds) nodes.for(id).note(new Refused(), '')

    assert.deepEqual(named(nodes), before)
  })

  it('are away after a read that waits in vain for other nodes, and not after other timeouts', () => {
    const timeout = Object.assign(new Error('Lock wait timeout exceeded'), { errno: 1205 })
    const isAwayAfter = (sql: string): boolean => {
      const node = nodesOf(['mysql://chat@db1/chat']).for(1)
      node.note(timeout, sql)
      return node.isAway
    }

    assert.deepEqual(
      ['BEGIN;', 'select 1', 'SELECT 1 FOR UPDATE', 'UPDATE t SET a = 1'].map(isAwayAfter),
      [true, true, false, false],
    )
  })

  it('must be a list of different servers without a connection beside it', () => {
    const open = (option: object) => () => new Database(option as never, '')
    const connection = { host: 'db1' }

    const twice = { client: 'mysql2', nodes: [connection, 'mysql://chat@db1:3306/chat'] }
    assert.throws(open({ client: 'mysql2', nodes: [] }), /1 to 16/)
    assert.throws(open({ client: 'mysql2', nodes: ['db1'] }), /must be a URL/)
    assert.throws(open(twice), /the same node twice/)
    assert.throws(open({ client: 'mysql2', nodes: [connection], connection }), /only nodes/)
  })
})

reportSkippedColumns()
const mysql = databaseColumns().find(({ name }) => name === 'mysql')

describe('a server that is no node of a cluster (mysql)', { skip: mysql === undefined }, () => {
  it('is refused at the start', async () => {
    const { config, drop } = await (mysql ?? assert.fail()).create()
    const database = new Database({ client: 'mysql2', nodes: [config.connection as object] }, '')
    try {
      await assert.rejects(database.connect(), /is not a node of a Galera cluster/)
    } finally {
      await database.close()
      await drop()
    }
  })
})
