import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyHost } from '../support/host.js'

everyHost('get-api-description', (at) => {
  it('describes every operation, without credentials, at the address that was asked', async () => {
    const answer = await at.nobody.get('/openapi.json')

    assert.equal(answer.status, 200)
    assert.equal(answer.body.openapi, '3.1.0')
    assert.equal(answer.body.servers[0].url, `${at.host.origin}/api/v1`)
    assert.equal(answer.body.paths['/messages'].post.operationId, 'send-message')
    assert.equal(answer.body.paths['/openapi.json'].get.operationId, 'get-api-description')
  })

  it('is served at an address that names no organization', async () => {
    const stranger = at.host.client('no-such-organization', undefined, 0, 'stranger')

    const answer = await stranger.get('/openapi.json')

    assert.equal(answer.body.openapi, '3.1.0')
  })
})
