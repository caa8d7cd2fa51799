import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { createChatServer, PushRelayError, type ChatServerOptions } from '@parley/core'

const database = { client: 'sqlite3', connection: { filename: '/nowhere/chat.sqlite' } }
const address = { url: 'https://relay.example', serverId: 'a', serverKey: 'b' }
const fail = async (): Promise<never> => {
  throw new PushRelayError('unreachable', 'Never')
}

async function make(pushRelay: unknown): Promise<void> {
  const options = { database, pushRelay } as ChatServerOptions
  await createChatServer(options).close()
}

describe('the option pushRelay', () => {
  it('accepts the address of a relay, or a PushRelay', async () => {
    const methods = ['registerToken', 'unregisterToken', 'unregisterAllTokens', 'sendTest']
    const own = [...methods, 'sendToTokens', 'registerDevice', 'sendToDevices']

    await make(undefined)
    await make(address)
    await make(Object.fromEntries(own.map((name) => [name, fail])))
  })

  it('is rejected by name otherwise', async () => {
    const wrong = [
      null,
      'https://relay.example',
      {},
      { ...address, url: 'relay.example' },
      { ...address, url: 'https://relay.example/' },
      { ...address, serverKey: '' },
      { ...address, serverId: undefined },
      { sendToDevices: fail },
    ]
    for (const value of wrong) {
      await assert.rejects(make(value), (error: Error) => {
        assert.ok(error instanceof TypeError)
        assert.match(error.message, /pushRelay must be/)
        return true
      })
    }
  })
})
