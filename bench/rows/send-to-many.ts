import { withCleanUp } from '../harness/clean-up.js'
import { onEveryDatabase, type BenchDatabaseKind } from '../harness/databases.js'
import { startChat } from '../harness/host.js'
import { interleave, series } from '../harness/interleave.js'
import { numbers } from '../harness/organization.js'
import type { Result, Row } from '../harness/row.js'
import { addHistory, addSubscriptions, addUsers, openSeeding } from '../harness/seed.js'
import { countStatements } from '../harness/statement-count.js'

const messagesPerSample = 15
/** Subscribers of the channels 1, 2, 3, 4. */
const sizes = [2, 20, 2000, 10_000] as const

/** What the number of a message's recipients costs: SQL statements, and the sender's time. */
export const sendToMany: Row = {
  name: 'send to many',
  run: () => onEveryDatabase(measure),
}

function measure(kind: BenchDatabaseKind): Promise<readonly Result[]> {
  return withCleanUp(async (opened) => {
    const database = await kind.create(opened)
    const { chat } = await startChat(
      opened,
      database,
      { users: 2, subscribers: sizes.map(() => 2) },
      { logPollMilliseconds: 0 },
    )
    const knex = openSeeding(opened, database)
    await addUsers(knex, Math.max(...sizes))
    await addSubscriptions(
      knex,
      sizes.flatMap((size, index) =>
        numbers(size - 2).map((number) => ({ userId: number + 2, channelId: index + 1 })),
      ),
    )
    const sender = chat.as({ userId: 1 })
    const send = async (channelId: number): Promise<void> => {
      await sender.api.sendMessage({
        type: 'channel',
        to: channelId,
        topic: 'greetings',
        content: 'The quick brown fox',
      })
    }
    const statementsOf = async (channelId: number): Promise<number> => {
      const before = await countStatements(database, knex)
      await send(channelId)
      return (await countStatements(database, knex)) - before
    }
    const millisecondsOf = async (channelId: number): Promise<{ milliseconds: number }> => {
      const start = performance.now()
      for (let message = 0; message < messagesPerSample; message += 1) await send(channelId)
      return { milliseconds: (performance.now() - start) / messagesPerSample }
    }
    await send(3)
    await addHistory(knex, 2000)
    // The first two messages of a channel find their recipients; the others know them.
    for (const channelId of [1, 2, 3, 4, 1, 2, 3, 4]) await send(channelId)
    const few = await statementsOf(1)
    const most: number[] = []
    for (const channelId of [2, 3, 4]) most.push(await statementsOf(channelId))
    const rounds = await interleave(
      () => millisecondsOf(2),
      () => millisecondsOf(3),
    )
    return [
      {
        name: `SQL statements of a send, ${kind.name}, 2 vs up to 10,000 recipients`,
        unit: 'statements',
        floor: most.map(() => few),
        ours: most,
        aim: { atMost: 1 },
      },
      {
        name: `send, ${kind.name}, to 20 vs 2,000 recipients`,
        unit: 'ms',
        floor: series(rounds.floor, 'milliseconds'),
        ours: series(rounds.ours, 'milliseconds'),
        aim: { atMost: 1.5 },
      },
    ]
  })
}
