import { withCleanUp, type CleanUp } from '../harness/clean-up.js'
import { onEveryDatabase, type BenchDatabaseKind } from '../harness/databases.js'
import { startChat } from '../harness/host.js'
import { interleave, series, type Sample } from '../harness/interleave.js'
import { numbers } from '../harness/organization.js'
import type { Result, Row } from '../harness/row.js'
import { addSubscriptions, addUsers, openSeeding } from '../harness/seed.js'

const [few, many] = [20, 10_000]
const joinsPerSample = 5

/** A user who joins a channel, and the first message after it, in a small and a large channel. */
export const join: Row = {
  name: 'join',
  run: () => onEveryDatabase(measure),
}

function measure(kind: BenchDatabaseKind): Promise<readonly Result[]> {
  return withCleanUp(async (opened) => {
    const small = await startChannel(opened, kind, few)
    const large = await startChannel(opened, kind, many)
    const rounds = await interleave(small, large)
    return (['signUp', 'join', 'message'] as const).map((step) => ({
      name: `${titles[step]}, ${kind.name}, ${few} vs ${many.toLocaleString('en')} users`,
      unit: 'ms',
      floor: series(rounds.floor, step),
      ours: series(rounds.ours, step),
      aim: { atMost: 2 },
    }))
  })
}

const titles = {
  signUp: 'sign-up',
  join: 'join of a channel',
  message: 'first message after a join',
} as const

async function startChannel(
  opened: CleanUp,
  kind: BenchDatabaseKind,
  users: number,
): Promise<() => Promise<Sample>> {
  const database = await kind.create(opened)
  const { chat } = await startChat(opened, database, { users: 2, subscribers: [2] })
  const knex = openSeeding(opened, database)
  await addUsers(knex, users)
  await addSubscriptions(
    knex,
    numbers(users - 2).map((number) => ({ userId: number + 2, channelId: 1 })),
  )
  const sender = chat.as({ userId: 1 })
  let last = 0
  return async () => {
    const total = { signUp: 0, join: 0, message: 0 }
    const time = async (step: keyof typeof total, work: () => Promise<unknown>): Promise<void> => {
      const start = performance.now()
      await work()
      total[step] += (performance.now() - start) / joinsPerSample
    }
    for (let count = 0; count < joinsPerSample; count += 1) {
      last += 1
      const newcomer = chat.as({
        externalId: last,
        email: `newcomer${last}@bench.example`,
        fullName: `Newcomer ${last}`,
      })
      await time('signUp', () => newcomer.id())
      await time('join', () => newcomer.api.subscribe({ subscriptions: [{ name: 'channel 1' }] }))
      await time('message', () =>
        sender.api.sendMessage({ type: 'channel', to: 1, topic: 'greetings', content: 'Welcome' }),
      )
    }
    return total
  }
}
