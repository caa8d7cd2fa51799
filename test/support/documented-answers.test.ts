import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { requireDocumented } from './documented-answers.js'

const jsonOf = (status: number, body: object): Parameters<typeof requireDocumented>[2] => ({
  status,
  headers: { 'content-type': 'application/json' },
  text: JSON.stringify(body),
})
const error = (status: number, code: string) => jsonOf(status, { result: 'error', msg: '', code })

describe('the check of answers against the OpenAPI document', () => {
  it('accepts what the document describes', () => {
    requireDocumented('DELETE', '/api/v1/attachments/7', jsonOf(200, { result: 'success' }))
    requireDocumented('DELETE', '/api/v1/attachments/-1', error(404, 'BAD_REQUEST'))
    requireDocumented('DELETE', '/api/v1/users/-1', error(405, 'METHOD_NOT_ALLOWED'))
    requireDocumented('GET', '/user_uploads/1/a/b/c.png', {
      status: 206,
      headers: { 'content-type': 'image/png' },
      text: 'pixels',
    })
    requireDocumented('HEAD', '/api/v1/messages?anchor=newest', {
      ...jsonOf(200, {}),
      text: '',
    })
  })

  it('accepts any answer to a request that is for no operation', () => {
    requireDocumented('GET', '/api/v1/nowhere', error(418, 'TEAPOT'))
    // A fixed segment, with another method, and not a parameter.
    requireDocumented('GET', '/api/v1/messages/flags', error(418, 'TEAPOT'))
    requireDocumented('GET', '/user_avatars/../1/x.png', error(418, 'TEAPOT'))
    requireDocumented('GET', '/user_avatars/no-id/x.png', error(418, 'TEAPOT'))
  })

  it('rejects other statuses, codes and types', () => {
    const path = '/api/v1/attachments/7'
    const html = { status: 404, headers: { 'content-type': 'text/html' }, text: '<p>' }

    assert.throws(
      () => requireDocumented('DELETE', path, error(409, 'BAD_REQUEST')),
      /does not describe the status 409 of DELETE/,
    )
    assert.throws(
      () => requireDocumented('DELETE', path, error(400, 'BAD_NARROW')),
      /does not describe the code BAD_NARROW of DELETE/,
    )
    assert.throws(
      () => requireDocumented('DELETE', path, html),
      /does not describe the type text\/html with the status 404/,
    )
  })
})
