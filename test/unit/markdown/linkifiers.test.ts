import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  compileLinkifiers,
  LinkifierError,
  renderMarkdown,
  renderTopicLinks,
} from '../../../packages/core/src/markdown/index.js'
import { exampleContext } from './example-context.js'

function reasonFor(pattern: string, urlTemplate: string): string | undefined {
  try {
    compileLinkifiers([{ pattern, urlTemplate }])
    return undefined
  } catch (error) {
    assert.ok(error instanceof LinkifierError)
    return error.reason
  }
}

describe('linkifiers', () => {
  it('require a pattern and a template that compile and have the same names', () => {
    assert.equal(reasonFor('#(?P<id>[0-9]+)', 'https://x.example/{id}'), undefined)
    assert.equal(reasonFor('#(?P<id>[0-9]+', 'https://x.example/{id}'), 'bad-pattern')
    assert.equal(reasonFor('(?P<id>a)(?=b)', 'https://x.example/{id}'), 'bad-pattern')
    assert.equal(reasonFor('a)(?P<id>b', 'https://x.example/{id}'), 'bad-pattern')
    assert.equal(reasonFor('(?P<id>a)', 'https://x.example/{id'), 'bad-template')
    assert.equal(reasonFor('(?P<id>a)', 'https://x.example/'), 'different-names')
    assert.equal(reasonFor('(?P<id>a)', 'https://x.example/{id}/{other}'), 'different-names')
  })

  it('expand every level of template and omit unmatched groups', () => {
    const linkifiers = compileLinkifiers([
      {
        pattern: 'T(?P<id>[0-9]+)(?:@(?P<ref>[a-z/]+))?',
        urlTemplate: 'https://x.example/{id}{?ref}',
      },
    ])

    assert.deepEqual(renderTopicLinks('T1 T2@a/b', linkifiers), [
      { text: 'T1', url: 'https://x.example/1' },
      { text: 'T2@a/b', url: 'https://x.example/2?ref=a%2Fb' },
    ])
  })

  it('leave a message unchanged if the link would have a forbidden scheme', () => {
    const linkifiers = compileLinkifiers([
      { pattern: 'JS-(?P<code>[a-z]+)', urlTemplate: 'javascript:{code}' },
    ])
    const { html } = renderMarkdown('JS-alert', exampleContext({ linkifiers }))

    assert.equal(html, '<p>JS-alert</p>')
  })

  it('do not match the links of other linkifiers', () => {
    const linkifiers = compileLinkifiers([
      { pattern: '[^ ]?x(?P<id>[0-9]+)', urlTemplate: 'https://x.example/{id}' },
    ])
    const { html } = renderMarkdown('`code`x1 x2', exampleContext({ linkifiers }))

    assert.equal(html, '<p><code>code</code>x1 <a href="https://x.example/2">x2</a></p>')
  })

  it('drop a topic link with a forbidden scheme', () => {
    const linkifiers = compileLinkifiers([
      { pattern: '(?P<address>[a-z]+:.*)', urlTemplate: '{+address}' },
    ])

    assert.deepEqual(renderTopicLinks('javascript:alert', linkifiers), [])
    assert.equal(renderTopicLinks('tel:5550100', linkifiers)[0]?.url, 'tel:5550100')
  })

  it('yield to earlier ones if they overlap', () => {
    const linkifiers = compileLinkifiers([
      { pattern: 'b-(?P<n>[0-9]+)', urlTemplate: 'https://one.example/{n}' },
      { pattern: '(?P<all>a:b-[0-9]+)', urlTemplate: 'https://two.example/{all}' },
    ])

    assert.deepEqual(renderTopicLinks('a:b-1', linkifiers), [
      { text: 'b-1', url: 'https://one.example/1' },
    ])
  })
})
