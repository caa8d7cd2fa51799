import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { collectReferences, renderMessage } from '../../../packages/core/src/markdown.js'

const options = {
  organizationUrl: 'https://chat.example.test',
  now: new Date('2031-04-09T10:00:00Z'),
}

describe('renderMessage', () => {
  it('renders without lookups of the references', () => {
    const { html } = renderMessage(
      '**Ask** @**Mira Okafor** in #**garden>beds** :tada: :rhubarb: @*night crew* ' +
        '[leaf](https://chat.example.test/user_uploads/2/ab/leaf.png)',
      options,
    )

    assert.equal(
      html,
      '<p><strong>Ask</strong> @<strong>Mira Okafor</strong> in #<strong>garden&gt;beds</strong> ' +
        '<span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:</span> ' +
        ':rhubarb: @<em>night crew</em> <a href="user_uploads/2/ab/leaf.png">leaf</a></p>',
    )
  })

  it('uses the results of the lookups', () => {
    const source = '@**Mira Okafor**'
    const people = new Map([['Mira Okafor', { id: 31, fullName: 'Mira Okafor', isActive: true }]])
    const [reference] = collectReferences(source).userNames

    const rendered = renderMessage(source, {
      ...options,
      findUserByName: (name) => (name === reference ? people.get(name) : undefined),
    })

    assert.equal(
      rendered.html,
      '<p><span class="user-mention" data-user-id="31">@Mira Okafor</span></p>',
    )
    assert.deepEqual(rendered.mentionedUserIds, [31])
  })

  it('accepts single settings and uses the defaults of the others', () => {
    const source = 'https://soil.example/leaf.png :)'
    const direct = { ...options, toProxyUrl: (url: string) => url }
    const plain = renderMessage(source, direct)
    const other = renderMessage(source, {
      ...direct,
      settings: { previewsImages: false, translatesEmoticons: true },
    })

    assert.ok(plain.hasImage)
    assert.doesNotMatch(plain.html, /emoji/)
    assert.ok(!other.hasImage)
    assert.match(other.html, /emoji-1f642/)
    // Readers would load the image from the other host.
    assert.ok(!renderMessage(source, options).hasImage)
  })
})
