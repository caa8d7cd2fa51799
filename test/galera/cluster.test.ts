import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { until } from '../support/waiting.js'
import { GaleraCluster, whyWithoutGalera } from './galera-cluster.js'
import type { GaleraNode } from './galera-node.js'

const suiteMilliseconds = 800_000

describe(
  'the private Galera cluster',
  { skip: whyWithoutGalera(), timeout: suiteMilliseconds },
  () => {
    let cluster: GaleraCluster
    let database: string

    before(async () => {
      cluster = await GaleraCluster.start()
      database = await cluster.createDatabase()
      await cluster.nodes[0]?.query(
        'CREATE TABLE words (id INT AUTO_INCREMENT PRIMARY KEY, word TEXT)',
        database,
      )
    })
    after(() => cluster.stop())

    const insert = (node: GaleraNode, word: string) =>
      node.query(`INSERT INTO words (word) VALUES ('${word}')`, database)
    const untilRead = (node: GaleraNode, word: string) =>
      until(`"${word}" at ${node.name}`, async () => {
        const rows = await node
          .query(`SELECT id FROM words WHERE word = '${word}'`, database)
          .catch(() => [])
        return rows.length === 1
      })

    it(
      'replicates rows, and is whole again after a node was killed, paused or isolated',
      { timeout: 240_000 },
      async () => {
        const [one, two, three] = cluster.nodes as [GaleraNode, GaleraNode, GaleraNode]
        await insert(one, 'first')
        await untilRead(three, 'first')

        await three.kill()
        await two.untilReady(2)
        await insert(two, 'while one was killed')
        await cluster.restart(three)
        await untilRead(three, 'while one was killed')

        three.pause()
        await two.untilReady(2)
        await insert(two, 'while one was paused')
        three.continue()
        await cluster.untilWhole()
        await untilRead(three, 'while one was paused')

        await three.isolate(true)
        await until('the isolated node to refuse', async () => !(await three.status()).isReady)
        await assert.rejects(insert(three, 'refused'), { errno: 1047 })
        await insert(two, 'while one was isolated')
        await three.isolate(false)
        await cluster.untilWhole()
        await untilRead(three, 'while one was isolated')
      },
    )
  },
)
