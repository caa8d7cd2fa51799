import { withCleanUp } from '../harness/clean-up.js'
import { onEveryDatabase, type BenchDatabaseKind } from '../harness/databases.js'
import { messageContent, openFloor, recipientCount } from '../harness/hand-written-send.js'
import { startChat } from '../harness/host.js'
import { interleave, series, type Sample } from '../harness/interleave.js'
import { processorSeconds } from '../harness/processor-time.js'
import type { Result, Row } from '../harness/row.js'
import { addHistory, openSeeding } from '../harness/seed.js'
import { countStatements } from '../harness/statement-count.js'

const plan = { users: recipientCount, subscribers: [recipientCount] }
const messagesPerSample = 60
/** Messages that are sent at the same time, whose statements are counted. */
const batchSizes = [1, 10, 50] as const

/** The processor time of a send in the process, without HTTP and clients; and its statements. */
export const sendAlone: Row = {
  name: 'send alone',
  run: () => onEveryDatabase(measure),
}

function measure(kind: BenchDatabaseKind): Promise<readonly Result[]> {
  return withCleanUp(async (opened) => {
    const floor = await openFloor(opened, await kind.create(opened), plan)
    await floor.send(1)
    await addHistory(floor.knex, recipientCount)
    const database = await kind.create(opened)
    const { chat } = await startChat(opened, database, plan, { logPollMilliseconds: 0 })
    const { api } = chat.as({ userId: 1 })
    const send = async (): Promise<void> => {
      const draft = { type: 'channel', to: 1, topic: 'greetings', content: messageContent } as const
      await api.sendMessage(draft)
    }
    await send()
    const knex = openSeeding(opened, database)
    await addHistory(knex, recipientCount)
    const rounds = await interleave(
      () => perSecond(() => floor.send(1)),
      () => perSecond(send),
    )
    const counts: number[] = []
    for (const size of batchSizes) {
      const before = await countStatements(database, knex)
      await Promise.all(Array.from({ length: size }, send))
      counts.push((await countStatements(database, knex)) - before)
    }
    return [
      {
        name: `send alone, ${kind.name}`,
        unit: 'messages/CPU s',
        floor: series(rounds.floor, 'perSecond'),
        ours: series(rounds.ours, 'perSecond'),
        aim: { atLeast: 1 },
      },
      ...batchSizes.map((size, index) => ({
        name: `SQL statements of ${size} sends at once, ${kind.name}, vs a message each`,
        unit: 'statements',
        floor: [size],
        ours: [counts[index] ?? Number.NaN],
        aim: size === 50 ? { atMost: 0.3 } : undefined,
      })),
    ]
  })
}

async function perSecond(send: () => Promise<void>): Promise<Sample> {
  const seconds = await processorSeconds(async () => {
    for (let message = 0; message < messagesPerSample; message += 1) await send()
  })
  return { perSecond: messagesPerSample / seconds }
}
