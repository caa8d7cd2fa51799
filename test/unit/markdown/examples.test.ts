import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { describe, it } from 'node:test'
import { renderMarkdown, renderTopicLinks } from '../../../packages/core/src/markdown/index.js'
import { exampleContext, linkifiers, settings } from './example-context.js'
import { examples } from './examples.js'
import { normalizeHtml } from './html.js'

interface Katex {
  renderToString(tex: string, options: { displayMode: boolean; throwOnError: boolean }): string
}

// The copy that the library uses, which is a dependency of the library and not of the tests.
const fromCore = createRequire(new URL('../../../packages/core/package.json', import.meta.url))
const katex = fromCore('katex') as Katex

const katexPlaceholder = /\{\{katex:(inline|display):((?:[^}]|\}(?!\}))*)\}\}/g
const proxyPlaceholder = /\{\{proxy:([^}]*)\}\}/g

/** Expected HTML with its placeholders replaced. Without a proxy, addresses are used directly. */
function fillIn(html: string): string {
  return html
    .replace(katexPlaceholder, (_, mode: string, tex: string) =>
      katex.renderToString(tex, { displayMode: mode === 'display', throwOnError: true }),
    )
    .replace(proxyPlaceholder, (_, url: string) => url)
}

describe('worked examples', () => {
  for (const example of examples.examples) {
    it(`${example.group}: ${JSON.stringify(example.input)}`, () => {
      const context = exampleContext({
        settings: {
          ...settings,
          defaultCodeBlockLanguage:
            example.default_code_block_language ?? settings.defaultCodeBlockLanguage,
          previewsImages: example.inline_image_preview ?? settings.previewsImages,
          translatesEmoticons: example.translate_emoticons ?? settings.translatesEmoticons,
        },
      })

      const { html } = renderMarkdown(example.input, context)

      assert.equal(normalizeHtml(html), normalizeHtml(fillIn(example.html)))
    })
  }
})

describe('links of topics', () => {
  for (const example of examples.topic_link_examples) {
    it(JSON.stringify(example.topic), () => {
      assert.deepEqual(renderTopicLinks(example.topic, linkifiers), example.topic_links)
    })
  }
})

describe('side data', () => {
  for (const example of examples.side_data_examples) {
    it(JSON.stringify(example.input), () => {
      const rendered = renderMarkdown(example.input, exampleContext())

      assert.deepEqual(
        {
          input: example.input,
          mentioned_user_ids: rendered.mentionedUserIds,
          mentioned_user_group_ids: rendered.mentionedGroupIds,
          mentions_channel_wildcard: rendered.mentionsChannelWildcard,
          mentions_topic_wildcard: rendered.mentionsTopicWildcard,
          attachment_path_ids: rendered.attachmentPathIds,
          has_link: rendered.hasLink,
          has_image: rendered.hasImage,
        },
        example,
      )
    })
  }
})
