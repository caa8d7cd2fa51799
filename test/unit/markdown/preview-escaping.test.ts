import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { parseFragment } from 'parse5'

import { renderMarkdown } from '../../../packages/core/src/markdown/index.js'
import { findForbidden } from './allow-list.js'
import { exampleContext } from './example-context.js'
import { elementsOf } from './html.js'

/** Ends an attribute, adds another and starts an element, unless it is escaped. */
const hostile = '"onerror="x"><i>'
const proxied = `/external_content/${hostile}`
const uploadId = '2/ab/cat.png'

const addressOf = (end: string): string => `https://soil.example/${hostile}${end}`

/** The attributes of the elements with this tag, as a browser parses them. */
function attributesOf(
  source: string,
  tagName: string,
  changes: Parameters<typeof exampleContext>[0] = {},
): Record<string, string>[] {
  const { html } = renderMarkdown(source, exampleContext(changes))
  assert.deepEqual(findForbidden(html), [], html)
  return [...elementsOf(parseFragment(html))]
    .filter((element) => element.tagName === tagName)
    .map(({ attrs }) => Object.fromEntries(attrs.map(({ name, value }) => [name, value])))
}

const behindProxy = { toProxyUrl: () => proxied }

describe('previews escape the end of an attribute', () => {
  it('in the addresses and titles of external images', () => {
    const href = addressOf('a.png')
    const source = `[${hostile}](${href})`

    assert.deepEqual(attributesOf(source, 'img'), [{ src: href }])
    assert.deepEqual(attributesOf(source, 'img', behindProxy), [{ src: proxied }])
    assert.deepEqual(attributesOf(source, 'a'), [{ href }, { href, title: hostile }])
  })

  it('in the types, names and path ids of uploaded images', () => {
    const image = { widthPixels: 1, heightPixels: 2, isAnimated: false, isThumbnailed: true }
    const upload = { contentType: hostile, image: { ...image, transcodedName: hostile } }
    const original = {
      'data-original-content-type': hostile,
      'data-original-dimensions': '1x2',
    }
    const pathId = `2/ab/${hostile}.png`

    assert.deepEqual(
      attributesOf(`[cat](/user_uploads/${pathId})`, 'img', {
        findUpload: (found) => ({ ...upload, pathId: found }),
      }),
      [
        {
          ...original,
          'data-transcoded-image': hostile,
          src: `/user_uploads/thumbnail/${pathId}/840x560.webp`,
        },
      ],
    )
    assert.deepEqual(
      attributesOf(`[cat](/user_uploads/${uploadId})`, 'img', {
        findUpload: () => ({
          ...upload,
          pathId: uploadId,
          image: { ...image, isThumbnailed: false },
        }),
      }),
      [
        {
          ...original,
          class: 'image-loading-placeholder',
          src: '/static/images/loading/loader-black.svg',
        },
      ],
    )
  })

  it('in the addresses and titles of videos', () => {
    const href = addressOf('a.mp4')
    const source = `[${hostile}](${href})`
    const video = { preload: 'metadata' }

    assert.deepEqual(attributesOf(source, 'video'), [{ ...video, src: href }])
    assert.deepEqual(attributesOf(source, 'video', behindProxy), [{ ...video, src: proxied }])
    assert.deepEqual(attributesOf(source, 'a'), [{ href }, { href, title: hostile }])
  })

  it('in the addresses of videos on YouTube', () => {
    const href = `https://www.youtube.com/watch?v=abcdefghijk&t=${hostile}`
    const source = `[film](${href})`

    assert.deepEqual(attributesOf(source, 'img', behindProxy), [{ src: proxied }])
    assert.deepEqual(attributesOf(source, 'a'), [{ href }, { 'data-id': 'abcdefghijk', href }])
  })

  it('in the addresses and titles of audio files', () => {
    const href = addressOf('a.mp3')
    const audio = { controls: '', preload: 'metadata', title: hostile }
    const uploaded = `2/ab/${hostile}.mp3`

    assert.deepEqual(attributesOf(`![${hostile}](${href})`, 'audio'), [
      { ...audio, 'data-original-url': href, src: href },
    ])
    assert.deepEqual(attributesOf(`![${hostile}](${href})`, 'audio', behindProxy), [
      { ...audio, 'data-original-url': href, src: proxied },
    ])
    assert.deepEqual(
      attributesOf(`![${hostile}](/user_uploads/${uploaded})`, 'audio', {
        findUpload: (pathId) => ({ pathId, contentType: 'audio/mpeg' }),
      }),
      [{ ...audio, src: `/user_uploads/${uploaded}` }],
    )
  })
})
