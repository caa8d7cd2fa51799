import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { it } from 'node:test'

import createKnex from 'knex'

import { everyDatabase } from '../support/host.js'
import { assertNothingAt, pngOf, readRoot, sendFiles } from '../support/uploads.js'

const name = '0028-avatar-names'

/** The former name of the image, which followed from the user's id. */
function earlierName(userId: number): string {
  return createHash('sha256').update(`avatar:${userId}`).digest('hex').slice(0, 40)
}

everyDatabase('an avatar of an earlier version', 'express', (at) => {
  it('is served at an unguessable address until it is removed', async () => {
    const { alice, bob } = at.people
    const file = { name: 'me.png', type: 'image/png', bytes: pngOf(50, 50) }
    const { avatar_url } = (await sendFiles(alice, '/users/me/avatar', [file])).body
    const [, folder, current] = /^\/user_avatars\/(\d+)\/(\w+)/.exec(avatar_url) ?? []
    const knex = createKnex(at.host.databaseConfig)
    const keys = async () =>
      knex('chat_file_chunks').where('file_key', 'like', `${folder}/avatars/%`).pluck('file_key')
    try {
      // The files that the migration finds.
      for (const suffix of ['', '-medium']) {
        await knex('chat_file_chunks')
          .where({ file_key: `${folder}/avatars/${current}${suffix}` })
          .update({ file_key: `${folder}/avatars/${earlierName(alice.id)}${suffix}-2` })
      }
      await knex.schema.alterTable('chat_users', (t) => {
        t.dropIndex(['avatar_name'])
        t.dropColumn('avatar_name')
      })
      await knex('chat_migrations').where({ name }).delete()

      await at.host.chat.migrate()

      const url = (await bob.get(`/users/${alice.id}`)).body.user.avatar_url as string
      assert.match(url, /^\/user_avatars\/\d+\/[0-9a-f]{48}\.png\?version=2$/)
      for (const shown of [url, url.replace('.png', '-medium.png')]) {
        assert.equal((await readRoot(at.nobody, shown)).status, 200)
      }
      await assertNothingAt(
        at.nobody,
        `/user_avatars/${folder}/${earlierName(alice.id)}.png?version=2`,
      )
      assert.equal((await bob.get(`/users/${bob.id}`)).body.user.avatar_version, 1)

      await alice.delete('/users/me/avatar')

      await assertNothingAt(at.nobody, url)
      const isOver = at.clock.next('set', 600)
      at.clock.fire(600)
      await isOver
      assert.deepEqual(await keys(), [])
    } finally {
      await knex.destroy()
    }
  })
})
