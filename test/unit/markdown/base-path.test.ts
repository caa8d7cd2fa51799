import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { collectReferences, renderMessage } from '../../../packages/core/src/markdown.js'

const image = {
  contentType: 'image/png',
  image: { widthPixels: 640, heightPixels: 480, isThumbnailed: true, isAnimated: false },
}
const uploads = new Map([
  ['2/ab/leaf.png', { pathId: '2/ab/leaf.png', ...image }],
  ['2/ab/song.mp3', { pathId: '2/ab/song.mp3', contentType: 'audio/mpeg' }],
  ['2/ab/film.mp4', { pathId: '2/ab/film.mp4', contentType: 'video/mp4' }],
])

const render = (source: string, organizationUrl = 'https://product.example/chat') => {
  const known = new Set(collectReferences(source).uploadPathIds)
  return renderMessage(source, {
    organizationUrl,
    now: new Date('2031-04-09T10:00:00Z'),
    findUpload: (pathId) => (known.has(pathId) ? uploads.get(pathId) : undefined),
    toProxyUrl: () => '/chat/external_content/ab/cd',
  })
}
const linkOf = (address: string): string | undefined =>
  /^<p><a href="([^"]*)">x<\/a><\/p>$/.exec(render(`[x](${address})`).html)?.[1]

describe('messages of an organization with a base path', () => {
  for (const address of [
    '/user_uploads/2/ab/leaf.png',
    '/chat/user_uploads/2/ab/leaf.png',
    'https://product.example/chat/user_uploads/2/ab/leaf.png',
  ]) {
    it(`show the upload ${address} below it`, () => {
      const { html, attachmentPathIds } = render(`[](${address})`)

      assert.equal(
        html,
        '<div class="message_inline_image"><a href="/chat/user_uploads/2/ab/leaf.png">' +
          '<img data-original-content-type="image/png" data-original-dimensions="640x480" ' +
          'src="/chat/user_uploads/thumbnail/2/ab/leaf.png/840x560.webp"></a></div>',
      )
      assert.deepEqual([...attachmentPathIds], ['2/ab/leaf.png'])
    })
  }

  it('show uploaded sounds and videos below it', () => {
    const { html } = render(
      '![song](/user_uploads/2/ab/song.mp3)\n\n[](/user_uploads/2/ab/film.mp4)',
    )

    assert.match(html, /<audio [^>]*src="\/chat\/user_uploads\/2\/ab\/song\.mp3"/)
    assert.match(html, /<video [^>]*src="\/chat\/user_uploads\/2\/ab\/film\.mp4"/)
  })

  it("do not claim uploads at paths of the application's own", () => {
    for (const address of [
      'https://product.example/user_uploads/2/ab/leaf.png',
      '/chats/user_uploads/2/ab/leaf.png',
      '/chat/chat/user_uploads/2/ab/leaf.png',
      'https://product.example/chat/chat/user_uploads/2/ab/leaf.png',
      'https://product.example.test/chat/user_uploads/2/ab/leaf.png',
      '/shop/user_uploads/2/ab/leaf.png',
    ]) {
      const { html, attachmentPathIds } = render(`[x](${address})`)

      assert.ok(html.includes(`href="${address}"`), html)
      assert.deepEqual([...attachmentPathIds], [], address)
    }
  })

  it('link to messages at the root, where existing clients recognize them', () => {
    const place = '#narrow/channel/3-plans/near/7'

    for (const address of [
      place,
      `/${place}`,
      `/chat${place}`,
      `/chat/${place}`,
      `https://product.example/chat${place}`,
      `https://product.example/chat/${place}`,
    ]) {
      assert.equal(linkOf(address), `/${place}`, address)
    }
    const root = `https://product.example/${place}`
    assert.equal(linkOf(root), root)
  })

  it("leave the application's own addresses as they are", () => {
    for (const address of [
      '/orders/7',
      '#top',
      '/chat/#settings',
      'https://product.example/orders/7',
      'https://product.example/chat',
      'https://product.example/chats/3',
      'https://product.example/chat/#settings',
    ]) {
      assert.equal(linkOf(address), address)
    }
  })

  it('load pictures of the same origin without the proxy, others through it', () => {
    const own = 'https://product.example/pictures/a.png'
    assert.match(render(`[x](${own})`).html, new RegExp(`<img src="${own}">`))
    assert.match(
      render('[x](https://product.example.test/a.png)').html,
      /<img src="\/chat\/external_content\/ab\/cd">/,
    )
  })
})
