import { isDeepStrictEqual } from 'node:util'

import type { ChatServer, SyncedUser } from '@parley/core'
import type { Knex } from 'knex'

import { withCleanUp, type CleanUp } from '../harness/clean-up.js'
import { sqlite } from '../harness/databases.js'
import { startChat } from '../harness/host.js'
import { interleave, series, type Sample } from '../harness/interleave.js'
import { emailOf, numbers } from '../harness/organization.js'
import { processorSeconds } from '../harness/processor-time.js'
import type { Row } from '../harness/row.js'
import { addUsers, openSeeding } from '../harness/seed.js'

const newPerSample = 200
const knownCount = 10_000
const usersPerStatement = 1000

/** `chat.users.sync` of new users in a small and a large organization, and of a list without news. */
export const syncUsers: Row = {
  name: 'users.sync',
  run: () =>
    withCleanUp(async (opened) => {
      const small = await startWith(opened, 2)
      const large = await startWith(opened, knownCount)
      const created = await interleave(addedTo(small.chat), addedTo(large.chat))
      const known = numbers(knownCount).slice(2).map(userOf)
      const unchanged = await interleave(
        () => readPlainly(large.knex, known),
        () => syncAgain(large.chat, known),
      )
      return [
        {
          name: `users.sync, ${newPerSample} new, where 2 vs 10,000 users are`,
          unit: 'users/CPU s',
          floor: series(created.floor, 'perSecond'),
          ours: series(created.ours, 'perSecond'),
          aim: { atLeast: 0.5 },
        },
        {
          name: 'users.sync, 10,000 without a change, vs reading them',
          unit: 'users/CPU s',
          floor: series(unchanged.floor, 'perSecond'),
          ours: series(unchanged.ours, 'perSecond'),
          aim: { atLeast: 0.5 },
        },
      ]
    }),
}

function userOf(number: number): SyncedUser {
  return { externalId: number, email: emailOf(number), fullName: `User ${number}` }
}

async function startWith(
  opened: CleanUp,
  users: number,
): Promise<{ readonly chat: ChatServer; readonly knex: Knex }> {
  const database = await sqlite.create(opened)
  const { chat } = await startChat(opened, database, { users: 2, subscribers: [2] })
  const knex = openSeeding(opened, database)
  await addUsers(knex, users)
  await knex('chat_users')
    .where('id', '>', 2)
    .update({ external_id: knex.raw('CAST(id AS TEXT)') })
  return { chat, knex }
}

function addedTo(chat: ChatServer): () => Promise<Sample> {
  let next = 1_000_000
  return async () => {
    const users = numbers(newPerSample).map((number) => userOf(next + number))
    next += newPerSample
    return perSecond(newPerSample, async () => {
      const { created } = await chat.users.sync(users)
      if (created !== newPerSample) throw new Error(`${created} users were created`)
    })
  }
}

function syncAgain(chat: ChatServer, users: readonly SyncedUser[]): Promise<Sample> {
  return perSecond(users.length, async () => {
    const { unchanged } = await chat.users.sync(users)
    if (unchanged !== users.length) throw new Error(`${unchanged} users were unchanged`)
  })
}

/** Reads the users and compares them, as one would write it by hand. */
function readPlainly(knex: Knex, users: readonly SyncedUser[]): Promise<Sample> {
  return perSecond(users.length, async () => {
    for (let start = 0; start < users.length; start += usersPerStatement) {
      const chunk = users.slice(start, start + usersPerStatement)
      const rows = (await knex('chat_users')
        .whereIn(
          'external_id',
          chunk.map(({ externalId }) => String(externalId)),
        )
        .select('external_id', 'email', 'full_name')) as Record<string, unknown>[]
      const known = new Map(rows.map((row) => [row['external_id'], row]))
      for (const { externalId, email, fullName } of chunk) {
        const external_id = String(externalId)
        const wanted = { external_id, email, full_name: fullName }
        if (!isDeepStrictEqual(known.get(external_id), wanted)) throw new Error('A user differs')
      }
    }
  })
}

async function perSecond(users: number, work: () => Promise<void>): Promise<Sample> {
  return { perSecond: users / (await processorSeconds(work)) }
}
