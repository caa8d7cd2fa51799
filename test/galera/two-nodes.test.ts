import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { Listener } from '../faults/listener.js'
import { assertKept, emptyOutcome, messagesEach, sendAll } from '../faults/message-storm.js'
import type { Answer, Client } from '../support/client.js'
import { until } from '../support/waiting.js'
import { GaleraChats, type GaleraChat } from './galera-chats.js'
import { GaleraCluster, whyWithoutGalera } from './galera-cluster.js'
import type { GaleraNode } from './galera-node.js'

const senderNames = Array.from({ length: 20 }, (_, index) => `s${index}`)
const listenerNames = ['anna', 'bert']

const suiteMilliseconds = 800_000

// Each process has a list of one node, so all of their writes conflict.
/**
 * Repeats what is answered with 503, as clients do: nodes refuse commits that overlap, and a busy
 * machine does not get through all of them within two seconds.
 */
async function untilAvailable(send: () => Promise<Answer>): Promise<Answer> {
  const answer = await send()
  return answer.status === 503 ? untilAvailable(send) : answer
}

describe(
  'two processes on two nodes of a cluster',
  { skip: whyWithoutGalera(), timeout: suiteMilliseconds },
  () => {
    let cluster: GaleraCluster
    let chats: GaleraChats
    let processes: GaleraChat[]

    before(async () => {
      cluster = await GaleraCluster.start()
      chats = await GaleraChats.create(cluster, [...senderNames, ...listenerNames])
      processes = await Promise.all(cluster.nodes.slice(0, 2).map((node) => chats.start([node])))
    })
    after(async () => {
      await chats.stop()
      await cluster.stop()
    })

    const clientsOf = (name: string): [Client, Client] =>
      processes.map((process) => chats.client(process, name)) as [Client, Client]

    it(
      'deliver messages that both write at once exactly once, in order, without errors',
      { timeout: 240_000 },
      async () => {
        const listeners = await Promise.all(
          listenerNames.map((name) => Listener.register(clientsOf(name))),
        )
        const listening = Promise.all(listeners.map((listener) => listener.until('the end')))
        const outcome = emptyOutcome()

        await Promise.all(
          senderNames.map((name, index) =>
            sendAll(clientsOf(name)[index % 2] as Client, outcome, () => {}, untilAvailable),
          ),
        )
        await clientsOf('bert')[1].say(1, 'storm', 'the end')
        await listening

        assert.deepEqual([...outcome.unknown], [], 'all were acknowledged')
        assert.equal(outcome.acknowledged.size, senderNames.length * messagesEach)
        for (const listener of listeners) assertKept(listener, outcome, senderNames)
        const { body } = await clientsOf('anna')[0].get('/messages', {
          narrow: [{ operator: 'channel', operand: 1 }],
          anchor: 'newest',
          num_before: 1000,
          num_after: 0,
          apply_markdown: false,
        })
        assert.deepEqual(
          (body.messages as { content: string }[]).map(({ content }) => content),
          listeners[0]?.contents,
          'their ids are in the order of their commits',
        )
      },
    )

    it('acknowledge 300 messages that are sent at once', { timeout: 240_000 }, async () => {
      const feed = await clientsOf('anna')[0].listen({ event_types: ['message'] })
      const contents = Array.from({ length: 300 }, (_, index) => `at once ${index}`)

      const answers = await Promise.all(
        contents.map((content, index) => {
          const client = clientsOf(senderNames[index % 20] ?? '')[index % 2] as Client
          const params = { type: 'channel', to: 1, topic: 'at once', content }
          return untilAvailable(() => client.post('/messages', params))
        }),
      )

      assert.deepEqual(
        answers.filter(({ status }) => status !== 200).map(({ text }) => text),
        [],
      )
      await clientsOf('bert')[0].say(1, 'at once', 'the last')
      const contentOf = (event: object): unknown =>
        (event as { message?: { content: string } }).message?.content
      const events = await feed.until(
        'the last message',
        (event) => contentOf(event) === 'the last',
      )
      assert.deepEqual(events.map(contentOf).sort(), [...contents, 'the last'].sort())
    })

    it('find a message by its words at both nodes, and by new ones after an edit', async () => {
      const [atOne, atTwo] = clientsOf('anna')
      const find = async (client: Client, word: string): Promise<unknown[]> => {
        const narrow = [{ operator: 'search', operand: word }]
        const range = { narrow, anchor: 'newest', num_before: 10, num_after: 0 }
        const { body } = await client.get('/messages', range)
        return (body.messages as { id: number }[]).map(({ id }) => id)
      }
      const id = await atOne.say(1, 'words', 'a heron')
      assert.deepEqual(await find(atTwo, 'heron'), [id])
      // So that the edit changes words that the index has.
      await until('the message to be indexed', async () => {
        const [row] = await (cluster.nodes[0] as GaleraNode).query<{ last: number }>(
          'SELECT MAX(indexed_message_id) AS last FROM chat_search_backlogs',
          chats.database,
        )
        return Number(row?.last) >= id
      })

      const edited = await atTwo.patch(`/messages/${id}`, { content: 'a stork' })
      assert.equal(edited.status, 200, edited.text)

      for (const client of [atOne, atTwo]) {
        assert.deepEqual(await find(client, 'heron'), [])
        assert.deepEqual(await find(client, 'stork'), [id])
      }
    })

    it('show at one node what was just sent at the other', { timeout: 240_000 }, async () => {
      const [atOne, atTwo] = clientsOf('anna')
      for (let index = 0; index < 50; index += 1) {
        const [sends, reads] = index % 2 === 0 ? [atOne, atTwo] : [atTwo, atOne]
        const id = await sends.say(1, 'reads', `number ${index}`)
        const { status, text } = await reads.get(`/messages/${id}`)
        assert.equal(status, 200, text)
      }
    })
  },
)
