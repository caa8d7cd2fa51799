import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { htmlPage, markedUp } from '../../../packages/core/src/kernel/html-page.js'

describe('a page of the server', () => {
  it('has its language, and a title that is no HTML', () => {
    const page = htmlPage('de', 'A <b> & "c"', '<p>Text</p>').toString()

    assert.match(page, /^<!doctype html><html lang="de">/)
    assert.match(page, /<h1>A &#60;b&#62; &#38; &#34;c&#34;<\/h1><p>Text<\/p>/)
  })
})

describe('marked up text', () => {
  it('has HTML in place of a part, and all else escaped', () => {
    assert.equal(markedUp("<x> o'a <y>", "o'a", '<b>1</b>'), '&#60;x&#62; <b>1</b> &#60;y&#62;')
  })

  it('has the HTML at its end if the part is missing', () => {
    assert.equal(markedUp('I <agree>', 'terms', '<a>terms</a>'), 'I &#60;agree&#62; <a>terms</a>')
  })
})
