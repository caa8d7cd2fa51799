import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { collectReferences } from '../../../packages/core/src/markdown/index.js'

describe('collectReferences', () => {
  it('returns every name once, by kind', () => {
    const references = collectReferences(
      '@**Mira Okafor** @_**Mira Okafor** @**Mira Okafor|31** @**|32** @*night crew* ' +
        '#**garden** #**garden>weekend plans@700** :octopus: :octopus: ' +
        '[a](/user_uploads/2/ab/leaf.png) https://chat.example.test/user_uploads/2/cd/new.png.',
    )

    assert.deepEqual(references, {
      userNames: ['Mira Okafor'],
      userIds: [31, 32],
      groupNames: ['night crew'],
      channelNames: ['garden', 'garden>weekend plans@700'],
      topics: [
        { channelName: 'garden', topic: 'weekend plans' },
        { channelName: 'garden', topic: 'weekend plans@700' },
      ],
      emojiNames: ['octopus'],
      uploadPathIds: ['2/ab/leaf.png)', '2/ab/leaf.png', '2/cd/new.png.', '2/cd/new.png'],
    })
  })

  it('returns nothing for plain text', () => {
    const references = collectReferences('5 * 3 @ home # 2')

    assert.ok(Object.values(references).every((list: readonly unknown[]) => list.length === 0))
  })
})
