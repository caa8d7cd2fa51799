import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { PushRelay, PushToken } from '@parley/core'

import { everyDatabase } from '../support/host.js'
import { settle } from '../support/push-reader.js'

const calls: [name: string, tokens: PushToken | readonly string[]][] = []
const refuse = (): never => assert.fail('No device is registered for encrypted notifications')

/** A relay of the application that stores what it is called with. */
const pushRelay: PushRelay = {
  registerToken: async (_, token) => void calls.push(['registerToken', token]),
  unregisterToken: async (_, token) => void calls.push(['unregisterToken', token]),
  unregisterAllTokens: async () => {},
  sendTest: async (_, token) => void calls.push(['sendTest', token]),
  sendToTokens: async ({ androidTokens }) => {
    calls.push(['sendToTokens', androidTokens])
    return { deletedAppleTokens: [], deletedAndroidTokens: [], status: undefined }
  },
  registerDevice: async () => refuse(),
  sendToDevices: async () => refuse(),
}

everyDatabase(
  "a push relay that is the application's own object",
  'express',
  (at) => {
    it('gets tokens as they are registered, and nothing of their rows', async () => {
      const { alice, bob } = at.people
      await alice.post('/users/me/android_gcm_reg_id', { token: 'green' })
      await alice.post('/mobile_push/test_notification')
      await bob.post('/messages', { type: 'direct', to: [alice.id], content: 'Hello' })
      await settle(at)
      await alice.delete('/users/me/android_gcm_reg_id', { token: 'green' })

      const token = { token: 'green', kind: 2 }
      assert.deepEqual(calls.splice(0), [
        ['registerToken', token],
        ['sendTest', token],
        ['sendToTokens', ['green']],
        ['unregisterToken', token],
      ])
    })
  },
  { pushRelay },
)
