import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import {
  explicitLink,
  markdownLink,
} from '../../../packages/core/src/domain/messages/markdown-link.js'
import {
  compileLinkifiers,
  renderMarkdown,
  renderTopicLinks,
} from '../../../packages/core/src/markdown/index.js'
import { linkSchemes } from '../../../packages/core/src/markdown/inline/link-schemes.js'
import { isWebAddress } from '../../../packages/core/src/resources/accounts/profile-fields/web-address.js'
import { requireUsableLinkifier } from '../../../packages/core/src/resources/content/linkifiers/linkifier-rules.js'
import { requireValidPlayground } from '../../../packages/core/src/resources/content/playgrounds/playground-rules.js'
import { linkSchemes as schemesOfPage } from '../../../packages/web/src/html/link-schemes.js'
import { exampleContext } from './example-context.js'

const refused =
  'file javascript data vbscript blob about view-source ms-office zulip smb ldap'.split(' ')

function isAccepted(check: () => void): boolean {
  try {
    check()
    return true
  } catch {
    return false
  }
}

const anyAddress = compileLinkifiers([
  { pattern: '(?P<address>[a-zA-Z0-9+.-]+:[^ ]*)', urlTemplate: '{+address}' },
])

const render = (source: string, context = exampleContext()): boolean =>
  renderMarkdown(source, context).html.includes('href=')

/** Where addresses become links. @returns whether one with this scheme does. */
const places: Readonly<Record<string, (address: string) => boolean>> = {
  'a named link': (address) => render(`[text](${address})`),
  'a bare address': (address) => render(address),
  'an address in brackets': (address) => render(`<${address}>`),
  'a linkifier': (address) => render(address, exampleContext({ linkifiers: anyAddress })),
  'the template of a linkifier': (address) =>
    isAccepted(() => requireUsableLinkifier('x(?P<id>[0-9]+)', `${address}{id}`)),
  'a link of a topic': (address) => renderTopicLinks(address, anyAddress).length > 0,
  'a playground': (address) =>
    isAccepted(() =>
      requireValidPlayground(
        { name: 'p', pygments_language: 'x', url_template: `${address}{code}` },
        false,
      ),
    ),
  'a profile field': (address) => isWebAddress(address),
  'a link of other formats': (address) => render(markdownLink(address, 'text')),
  'an explicit link of other formats': (address) => render(explicitLink(address, 'text')),
}

describe('schemes of links', () => {
  it('are the same in the page as on the server', () => {
    assert.deepEqual(schemesOfPage, linkSchemes)
  })

  for (const [place, isLink] of Object.entries(places)) {
    it(`are limited in ${place}`, () => {
      for (const scheme of refused) {
        for (const written of [scheme, scheme.toUpperCase()]) {
          for (const rest of ['//host.example/path', '///path', 'x']) {
            const address = `${written}:${rest}`
            assert.equal(isLink(address), false, address)
          }
        }
      }
      assert.ok(isLink('https://host.example/path'))
    })
  }

  it('allow all others in named links', () => {
    for (const scheme of linkSchemes) {
      assert.ok(render(`[text](${scheme}:example.com/x)`), scheme)
    }
  })
})
