import type { HostCase } from '../host.js'
import { pngOf, sendFiles } from '../uploads.js'
import { administrators, members, nothing, own, unused, type Examples } from './example.js'

const picture = [{ name: 'e.png', type: 'image/png', bytes: pngOf(4, 4) }]
const linkifier = () => ({
  pattern: `${unused('p')}-(?P<id>[0-9]+)`,
  url_template: 'https://links.example/{id}',
})
/** Creates a linkifier. @returns its path. */
async function someLinkifier({ people }: HostCase): Promise<string> {
  const { body } = await people.adam.post('/realm/filters', linkifier())
  return `/realm/filters/${body.id}`
}
const playground = () => ({
  name: unused('Playground '),
  pygments_language: 'Python',
  url_template: 'https://play.example/{code}',
})

export const contents: Examples = {
  'get-alert-words': { call: (_, by) => by.get('/users/me/alert_words') },
  'add-alert-words': {
    call: (_, by) => by.post('/users/me/alert_words', { alert_words: [unused('word ')] }),
    audited: own,
  },
  'remove-alert-words': {
    call: (_, by) => by.delete('/users/me/alert_words', { alert_words: ['a'] }),
    audited: own,
  },
  'get-custom-emoji': { call: (_, by) => by.get('/realm/emoji') },
  'upload-custom-emoji': {
    call: (_, by) => sendFiles(by, `/realm/emoji/${unused('emoji_')}`, picture),
    refused: members,
    audited: ['emoji.added'],
  },
  'deactivate-custom-emoji': {
    call: async (at, by) => {
      const isMember = by.name === 'mona' || by.name === 'alice'
      const path = `/realm/emoji/${unused('emoji_')}`
      await sendFiles(isMember ? by : at.people.mona, path, picture)
      return by.delete(path)
    },
    refused: { gus: 'notAuthor', bot: 'notAuthor' },
    audited: ['emoji.deactivated'],
  },
  'get-linkifiers': { call: (_, by) => by.get('/realm/linkifiers') },
  'add-linkifier': {
    call: (_, by) => by.post('/realm/filters', linkifier()),
    refused: administrators,
    audited: ['linkifier.added'],
  },
  'update-linkifier': {
    call: async (at, by) => by.patch(await someLinkifier(at), linkifier()),
    refused: administrators,
    audited: ['linkifier.updated'],
  },
  'remove-linkifier': {
    call: async (at, by) => by.delete(await someLinkifier(at)),
    refused: administrators,
    audited: ['linkifier.removed'],
  },
  'reorder-linkifiers': {
    call: async (at, by) => {
      for (const _ of [1, 2]) await someLinkifier(at)
      const { body } = await at.people.adam.get('/realm/linkifiers')
      const ids = (body.linkifiers as { id: number }[]).map(({ id }) => id)
      return by.patch('/realm/linkifiers', { ordered_linkifier_ids: ids.toReversed() })
    },
    refused: administrators,
    audited: ['linkifier.reordered'],
  },
  'add-code-playground': {
    call: (_, by) => by.post('/realm/playgrounds', playground()),
    refused: administrators,
    audited: ['playground.added'],
  },
  'remove-code-playground': {
    call: async (at, by) => {
      const { body } = await at.people.adam.post('/realm/playgrounds', playground())
      return by.delete(`/realm/playgrounds/${body.id}`)
    },
    refused: administrators,
    audited: ['playground.removed'],
  },
  'render-message': {
    call: (_, by) => by.post('/messages/render', { content: 'Text' }),
    audited: nothing,
  },
}
