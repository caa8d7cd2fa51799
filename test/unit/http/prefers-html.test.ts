import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { prefersHtml } from '../../../packages/core/src/http/replies/prefers-html.js'

describe('whether a request prefers HTML', () => {
  it('is so for browsers that open a page', () => {
    for (const header of [
      'text/html',
      'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
      'TEXT/HTML; q=0.9, application/json;q=0.9',
    ]) {
      assert.equal(prefersHtml(header), true, header)
    }
  })

  it('is not so for programs, and for headers that are no such list', () => {
    for (const header of [
      undefined,
      '',
      '*/*',
      'application/json',
      'application/json, text/html;q=0.9',
      'text/html;q=0',
      'text/html;q=x',
      `text/html,${'a/b,'.repeat(300)}`,
    ]) {
      assert.equal(prefersHtml(header), false, header)
    }
  })
})
