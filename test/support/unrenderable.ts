import assert from 'node:assert/strict'

import type { Client } from './client.js'

/**
 * A text whose HTML would be too long in the administrator's organization, for which a linkifier is
 * added: each of 900 matches becomes an address of 5,000 characters.
 */
export async function unrenderableIn(administrator: Client): Promise<string> {
  const { status, text } = await administrator.post('/realm/filters', {
    pattern: 'LONG(?P<number>[0-9])',
    url_template: `https://x.example/{number}?${'x'.repeat(5000)}`,
  })
  assert.equal(status, 200, text)
  return 'LONG1 '.repeat(900)
}
