import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { renderMarkdown, type RenderedMarkdown } from '../../../packages/core/src/markdown/index.js'
import { exampleContext } from './example-context.js'

function render(
  source: string,
  changes: Parameters<typeof exampleContext>[0] = {},
): RenderedMarkdown {
  return renderMarkdown(source, exampleContext(changes))
}

const image = (name: number) => `https://soil.example/${name}.png`

describe('previews', () => {
  it('show each address once, at its first occurrence outside of quotes', () => {
    const { html } = render(`> ${image(1)}\n\nsee ${image(1)}\n\nand ${image(1)}`)

    assert.equal(html.match(/message_inline_image/g)?.length, 1)
    assert.match(html, /<p>see .*<\/p>\n<div class="message_inline_image">.*<\/div><p>and/s)
  })

  it('are omitted completely if there are more than 24', () => {
    const many = Array.from({ length: 25 }, (_, index) => image(index))

    assert.equal(render(many.slice(1).join(' ')).html.match(/<img/g)?.length, 24)
    const { html, hasImage, hasLink } = render(many.join(' '))
    assert.doesNotMatch(html, /<img/)
    assert.deepEqual([hasImage, hasLink], [false, true])
  })

  it('move to the end of the message if the link is in a heading or a table', () => {
    for (const source of [`# ${image(1)}\n\nend`, `a|b\n-|-\n${image(1)}|c\n\nend`]) {
      assert.match(render(source).html, /<p>end<\/p>\n<div class="message_inline_image">/)
    }
  })

  it('stay inside of spoilers', () => {
    assert.match(
      render(`\`\`\`spoiler S\nx ${image(1)}\n\`\`\``).html,
      /<\/p>\n<div class="message_inline_image">.*<\/div><\/div><\/div>$/,
    )
  })

  it('load external images through the proxy and link to the original', () => {
    const { html } = render(image(1), { toProxyUrl: () => '/external_content/ab/cd' })

    assert.equal(
      html,
      `<div class="message_inline_image"><a href="${image(1)}"><img src="/external_content/ab/cd"></a></div>`,
    )
  })

  it('load images of the organization without the proxy', () => {
    const own = 'https://chat.example.test/pictures/a.png'
    const { html } = render(`[a](${own})`, { toProxyUrl: () => '/external_content/ab/cd' })

    assert.doesNotMatch(html, /external_content/)
    assert.match(html, /<img src="/)
  })

  it('show no external images without a proxy', () => {
    for (const source of [
      image(1),
      `[a](${image(1)})`,
      'https://x.example/a.mp4',
      'https://youtu.be/abcdefghijk',
      '![a](https://x.example/a.mp3)',
    ]) {
      const { html, hasImage } = render(source, { toProxyUrl: () => undefined })
      assert.doesNotMatch(html, / src=/, source)
      assert.equal(hasImage, false)
    }
  })

  it('use the proxy for a path that leads to another host', () => {
    for (const path of [
      '/\\\\other.example/a.png',
      '/\\other.example/a.png',
      '//other.example/a.png',
    ]) {
      const { html } = render(`[x](${path}) [y](</${path}>)`)
      assert.doesNotMatch(html, /src="[/\\]/, path)
    }
  })

  it('return which uploads still show a spinner', () => {
    assert.deepEqual(render('[new](/user_uploads/2/cd/new.png)').pendingThumbnailPathIds, [
      '2/cd/new.png',
    ])
  })

  it('match the addresses of YouTube', () => {
    for (const path of ['watch?t=1&v=abcdefghijk', 'shorts/abcdefghijk', 'embed/abcdefghijk']) {
      assert.match(render(`https://www.youtube.com/${path}`).html, /data-id="abcdefghijk"/)
    }
  })
})

describe('audio', () => {
  it('plays external files through the proxy', () => {
    const { html } = render('![a](https://x.org/a.mp3)', {
      toProxyUrl: () => '/external_content/e/f',
    })

    assert.equal(
      html,
      '<p><audio controls data-original-url="https://x.org/a.mp3" preload="metadata" src="/external_content/e/f" title="a"></audio></p>',
    )
  })

  it('plays an upload without listing it as a link', () => {
    const { attachmentPathIds, hasLink } = render('![](/user_uploads/2/ij/song.mp3)')

    assert.deepEqual([attachmentPathIds, hasLink], [['2/ij/song.mp3'], false])
  })

  it('remains text for any other upload', () => {
    assert.equal(
      render('![x](/user_uploads/2/ab/list.txt)').html,
      '<p>![x](/user_uploads/2/ab/list.txt)</p>',
    )
  })
})
