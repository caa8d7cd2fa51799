import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { Actor } from '../../../packages/core/src/domain/users/actor.js'
import { UserSearches } from '../../../packages/core/src/resources/messages/reading/message-fetch.js'

const actor = (userId: number, botOwnerId: number | null = null): Actor => ({
  organizationId: 1,
  userId,
  role: 400,
  isBot: botOwnerId !== null,
  botType: null,
  botOwnerId,
  joinedAtSeconds: 0,
  canCreateUsers: false,
  canChangeUserEmails: false,
})

describe('the searches of a user', () => {
  it('run two at a time, together with those of bots, and do not hold up others', async () => {
    const userSearches = new UserSearches()
    const begun: string[] = []
    const ends = new Map<string, () => void>()
    let noteThird = (): void => {}
    const third = new Promise<void>((resolve) => (noteThird = resolve))
    const search = (of: Actor, name: string) =>
      userSearches.run(of, async () => {
        begun.push(name)
        if (name === 'third') noteThird()
        await new Promise<void>((resolve) => ends.set(name, resolve))
      })
    const searches = [
      search(actor(5), 'first'),
      search(actor(9, 5), 'by a bot'),
      search(actor(5), 'third'),
      search(actor(6), 'of another user'),
      search({ ...actor(5), organizationId: 2 }, 'in another organization'),
    ]
    assert.deepEqual(begun, ['first', 'by a bot', 'of another user', 'in another organization'])

    ends.get('by a bot')?.()
    await third
    assert.equal(begun.at(-1), 'third')

    for (const end of ends.values()) end()
    await Promise.all(searches)
  })
})
