import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { collectReferences, renderMarkdown } from '../../../packages/core/src/markdown/index.js'
import { findForbidden } from './allow-list.js'
import { arbitrarySource } from './arbitrary-source.js'
import { exampleContext, settings } from './example-context.js'

const numRuns = 240

const contexts = [
  exampleContext(),
  exampleContext({
    settings: { ...settings, translatesEmoticons: true },
    toProxyUrl: (url) => `/external_content/${Buffer.from(url).toString('hex')}`,
  }),
]

describe('any source', () => {
  it('renders to allowed tags, attributes and schemes only', () => {
    fc.assert(
      fc.property(arbitrarySource, fc.constantFrom(...contexts), (source, context) => {
        assert.deepEqual(findForbidden(renderMarkdown(source, context).html), [])
      }),
      { numRuns },
    )
  })

  it('does not end an attribute with a quote', () => {
    for (const source of [
      '[x](https://x.example/"onclick="y")',
      '[x](https://x.example/ \'"onclick="y\')',
      '[x](/user_uploads/1/a"onclick="y.mp3)',
      '![x](https://x.example/a"onclick="y.png)',
    ]) {
      for (const context of contexts) {
        assert.deepEqual(findForbidden(renderMarkdown(source, context).html), [], source)
      }
    }
  })

  it('renders to the same bytes twice', () => {
    fc.assert(
      fc.property(arbitrarySource, fc.constantFrom(...contexts), (source, context) => {
        assert.deepEqual(renderMarkdown(source, context), renderMarkdown(source, context))
      }),
      { numRuns: numRuns / 4 },
    )
  })

  it('leaves no internal markers in the HTML', () => {
    fc.assert(
      fc.property(arbitrarySource, (source) => {
        assert.ok(!/[\u0002\u0003]/.test(renderMarkdown(source, exampleContext()).html))
      }),
      { numRuns },
    )
  })

  it('looks up only what collectReferences returns', () => {
    fc.assert(
      fc.property(arbitrarySource, (source) => {
        const references = collectReferences(source)
        const known = exampleContext()
        const missed: string[] = []
        const demand = (isListed: boolean, name: string | number): void => {
          if (!isListed) missed.push(String(name))
        }

        renderMarkdown(source, {
          ...known,
          findUser(id) {
            demand(references.userIds.includes(id), id)
            return known.findUser(id)
          },
          findUserByName(name) {
            demand(references.userNames.includes(name), name)
            return known.findUserByName(name)
          },
          findGroupByName(name) {
            demand(references.groupNames.includes(name), name)
            return known.findGroupByName(name)
          },
          findChannelByName(name) {
            demand(references.channelNames.includes(name), name)
            return known.findChannelByName(name)
          },
          findLatestMessageId(channelId, topic) {
            demand(
              references.topics.some((reference) => reference.topic === topic),
              topic,
            )
            return known.findLatestMessageId(channelId, topic)
          },
          findUpload(pathId) {
            const upload = known.findUpload(pathId)
            if (upload !== undefined) demand(references.uploadPathIds.includes(pathId), pathId)
            return upload
          },
        })

        assert.deepEqual(missed, [])
      }),
      { numRuns },
    )
  })
})
