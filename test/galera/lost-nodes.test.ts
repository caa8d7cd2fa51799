import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { Listener } from '../faults/listener.js'
import { assertKept, emptyOutcome, sendAll, type Outcome } from '../faults/message-storm.js'
import { until } from '../support/waiting.js'
import { GaleraChats, type GaleraChat } from './galera-chats.js'
import { GaleraCluster, whyWithoutGalera } from './galera-cluster.js'
import type { GaleraNode } from './galera-node.js'

const senderNames = Array.from({ length: 20 }, (_, index) => `s${index}`)
const listenerNames = ['anna', 'bert']

const suiteMilliseconds = 800_000

describe(
  'a cluster that loses a node under load',
  { skip: whyWithoutGalera(), timeout: suiteMilliseconds },
  () => {
    let cluster: GaleraCluster
    let chats: GaleraChats
    let processes: GaleraChat[]
    let preferred: GaleraNode

    before(async () => {
      cluster = await GaleraCluster.start()
      chats = await GaleraChats.create(cluster, [...senderNames, ...listenerNames])
      const { nodes } = cluster
      processes = await Promise.all([chats.start(nodes), chats.start(nodes.toReversed())])
      preferred = await chats.writingNode(async () => {
        for (const process of processes) {
          for (let index = 0; index < 10; index += 1) {
            await chats.client(process, 'anna').say(1, 'before', `number ${index}`)
          }
        }
      })
    })
    after(async () => {
      await chats.stop()
      await cluster.stop()
    })

    /** Sends at both processes, calls `lose` in the midst of it, and checks what was delivered. */
    const storm = async (last: string, lose: () => Promise<void>): Promise<Outcome> => {
      const listeners = await Promise.all(
        listenerNames.map((name) =>
          Listener.register(processes.map((process) => chats.client(process, name))),
        ),
      )
      const listening = Promise.all(listeners.map((listener) => listener.until(last)))
      // It fails with the test, which has its own error then.
      listening.catch(() => {})
      const outcome = emptyOutcome()
      let answers = 0
      let losing: Promise<void> | undefined
      const sending = Promise.allSettled(
        senderNames.map((name, index) =>
          sendAll(chats.client(processes[index % 2] as GaleraChat, name), outcome, () => {
            answers += 1
            if (answers === 60) losing = lose()
          }),
        ),
      )
      for (const result of await sending) {
        const log = processes.map(({ output }) => output()).join('\n')
        if (result.status === 'rejected') throw new Error(log, { cause: result.reason })
      }
      await losing
      await chats.client(processes[0] as GaleraChat, 'bert').say(1, 'storm', last)
      await listening
      for (const listener of listeners) assertKept(listener, outcome, senderNames)
      return outcome
    }

    /** Waits until all processes use the preferred node again. */
    const untilBack = async (): Promise<void> => {
      await cluster.untilWhole()
      await until('both processes to use the node again', async () => {
        const counts = processes.map(({ output }) => [
          output().split('is away').length,
          output().split('is back').length,
        ])
        return counts.every(([away, back]) => away === back)
      })
    }

    it(
      'goes on at the others when the preferred node is killed, and returns to it',
      { timeout: 240_000 },
      async () => {
        const outcome = await storm('killed', () => preferred.kill())

        // Those whose commit was under way when the node ended: one transaction of each process.
        assert.ok(outcome.acknowledged.size > 200, `${outcome.unknown.size} unknown`)
        await cluster.restart(preferred)
        await untilBack()
        const writing = await chats.writingNode(async () => {
          for (let index = 0; index < 10; index += 1) {
            await chats
              .client(processes[0] as GaleraChat, 'anna')
              .say(1, 'after', `number ${index}`)
          }
        })
        assert.equal(writing.name, preferred.name)
      },
    )

    it(
      'goes on at the others when the preferred node is cut off and refuses',
      { timeout: 240_000 },
      async () => {
        const outcome = await storm('isolated', () => preferred.isolate(true))

        assert.ok(outcome.acknowledged.size > 200, `${outcome.unknown.size} unknown`)
        await preferred.isolate(false)
        await untilBack()
      },
    )

    it(
      'goes on at the others when the preferred node is frozen',
      { timeout: 240_000 },
      async () => {
        const outcome = await storm('frozen', async () => preferred.pause())

        assert.ok(outcome.acknowledged.size > 200, `${outcome.unknown.size} unknown`)
        preferred.continue()
        await untilBack()
      },
    )
  },
)
