import type { Clock } from '@parley/core'
import knexPackage, { type Knex } from 'knex'

import { withCleanUp, type CleanUp } from '../harness/clean-up.js'
import { sqlite, type BenchDatabase } from '../harness/databases.js'
import { prepareFloor, startChat } from '../harness/host.js'
import { interleave, series, type Sample } from '../harness/interleave.js'
import { LoadClient } from '../harness/load-client.js'
import { authorizationOf, numbers } from '../harness/organization.js'
import type { Result, Row } from '../harness/row.js'
import { openSeeding } from '../harness/seed.js'
import { postRequest } from '../load/http-connection.js'

const onlineCount = 1000
const pingsPerSample = 150
const plan = { users: onlineCount, subscribers: [2] }
/** Longer ago than what counts as the same presence. */
const awaySeconds = 600

/**
 * `POST /users/me/presence` while 1,000 people are online, against raw Knex without HTTP that notes
 * the ping in a transaction and reads the rows that the answer has.
 */
export const presence: Row = {
  name: 'presence',
  async run() {
    return [await measure('news'), await measure('everybody')]
  },
}

/** Whether a client knows the others already, or has just started. */
type Wanted = 'news' | 'everybody'

function measure(wanted: Wanted): Promise<Result> {
  return withCleanUp(async (opened) => {
    const floor = await startFloor(opened, await sqlite.create(opened), wanted)
    const ours = await startOurs(opened, await sqlite.create(opened), wanted)
    const rounds = await interleave(floor, ours)
    const answer = wanted === 'news' ? 'what is new' : 'everybody'
    return {
      name: `POST /users/me/presence, ${onlineCount} online, answers ${answer}`,
      unit: 'pings/s',
      floor: series(rounds.floor, 'perSecond'),
      ours: series(rounds.ours, 'perSecond'),
      aim: { atLeast: 3 },
    }
  })
}

async function startOurs(
  opened: CleanUp,
  database: BenchDatabase,
  wanted: Wanted,
): Promise<() => Promise<Sample>> {
  const load = new LoadClient(opened)
  let laterMilliseconds = 0
  const clock: Clock = {
    now: () => Date.now() + laterMilliseconds,
    setTimeout(callback, delayMilliseconds) {
      const handle = setTimeout(callback, delayMilliseconds).unref()
      return { cancel: () => clearTimeout(handle) }
    },
  }
  const { chat, port } = await startChat(opened, database, plan, { clock })
  await addPresences(openSeeding(opened, database))
  const observer = chat.as({ userId: onlineCount })
  return async () => {
    // As if everybody's last ping were a while ago, so that the next one changes something.
    laterMilliseconds += awaySeconds * 1000
    const answer = await observer.api.updatePresence({ status: 'active', last_update_id: -1 })
    const lastUpdateId = wanted === 'news' ? answer.presence_last_update_id : -1
    const requests = numbers(pingsPerSample).map((userId) =>
      postRequest('/api/v1/users/me/presence', authorizationOf(userId), {
        status: 'active',
        slim_presence: 'true',
        last_update_id: String(lastUpdateId),
      }),
    )
    return pingsPerSecond(() => load.call('askAll', { port, requests, dropBodies: true }))
  }
}

async function startFloor(
  opened: CleanUp,
  database: BenchDatabase,
  wanted: Wanted,
): Promise<() => Promise<Sample>> {
  await prepareFloor(database, plan)
  const knex = knexPackage(database.config)
  opened.add(() => knex.destroy())
  await knex.raw('PRAGMA journal_mode = WAL')
  await knex.raw('PRAGMA synchronous = NORMAL')
  await addPresences(knex)
  return async () => {
    await sendAway(knex)
    const lastUpdateId = wanted === 'news' ? await newestUpdateId(knex) : -1
    return pingsPerSecond(async () => {
      for (const userId of numbers(pingsPerSample)) await ping(knex, userId, lastUpdateId)
    })
  }
}

/** What a ping leaves in the database, and what it answers, as one would write it by hand. */
async function ping(knex: Knex, userId: number, lastUpdateId: number): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  await knex.transaction(async (trx) => {
    await trx('chat_organizations').where({ id: 1 }).increment('presence_update_id', 1)
    const update_id = await newestUpdateId(trx)
    await trx('chat_presences')
      .where({ organization_id: 1, user_id: userId })
      .update({ active_at_seconds: now, connected_at_seconds: now, update_id })
  })
  const rows = (await knex('chat_presences')
    .where({ organization_id: 1 })
    .where('update_id', '>', lastUpdateId)
    .orderBy('user_id')) as Record<string, unknown>[]
  return JSON.stringify(
    Object.fromEntries(
      rows.map((row) => [
        String(row['user_id']),
        {
          active_timestamp: row['active_at_seconds'],
          idle_timestamp: row['connected_at_seconds'],
        },
      ]),
    ),
  )
}

async function pingsPerSecond(work: () => Promise<unknown>): Promise<Sample> {
  const start = performance.now()
  await work()
  return { perSecond: (pingsPerSample * 1000) / (performance.now() - start) }
}

async function addPresences(knex: Knex): Promise<void> {
  await knex.raw(
    `INSERT INTO chat_presences
       (organization_id, user_id, active_at_seconds, connected_at_seconds, update_id)
     SELECT organization_id, id, 0, 0, id FROM chat_users`,
  )
  await knex('chat_organizations').where({ id: 1 }).update({ presence_update_id: onlineCount })
}

/** The same for the floor, which has the time of the machine. */
async function sendAway(knex: Knex): Promise<void> {
  const then = Math.floor(Date.now() / 1000) - awaySeconds
  await knex('chat_presences').update({ active_at_seconds: then, connected_at_seconds: then })
}

async function newestUpdateId(knex: Knex): Promise<number> {
  const row = (await knex('chat_organizations').where({ id: 1 }).first('presence_update_id')) as {
    presence_update_id: number
  }
  return row.presence_update_id
}
