import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { EventLoopYielder } from '../../../packages/core/src/kernel/event-loop-yielder.js'
import { withSilentMentions, type ManyMention } from '../../../packages/core/src/markdown/index.js'

const everyKind = new Set<ManyMention>(['channel', 'topic', 'group'])

const silenced = (source: string, kinds = everyKind, settings = {}): Promise<string> =>
  withSilentMentions(source, kinds, settings, new EventLoopYielder())

describe('mentions of many users', () => {
  for (const [source, expected] of [
    ['@**all** @**everyone** @**channel**', '@_**all** @_**everyone** @_**channel**'],
    ['@**stream**, (@**topic**) @*ops team*!', '@_**stream**, (@_**topic**) @_*ops team*!'],
    ['@**all** `@**all**` @**all**', '@_**all** `@**all**` @_**all**'],
    ['```\n@**all**\n```\n@*ops*', '```\n@**all**\n```\n@_*ops*'],
    ['~~~ js\n@*ops*\n~~~', '~~~ js\n@*ops*\n~~~'],
    ['a\n\n    @**all**\n\n@**all**', 'a\n\n    @**all**\n\n@_**all**'],
    ['``a ` @**topic** ``@**topic**', '``a ` @**topic** ``@**topic**'],
    ['`open @**all**', '`open @_**all**'],
    ['$$x @**all**$$', '$$x @_**all**$$'],
    ['```spoiler @**all**\n@*ops*\n```', '```spoiler @_**all**\n@_*ops*\n```'],
    ['* @**all**\n  * @*ops*', '* @_**all**\n  * @_*ops*'],
    ['# @**all**\n|a|\n|-|\n\n|@*ops*|b|\n|-|-|', '# @_**all**\n|a|\n|-|\n\n|@_*ops*|b|\n|-|-|'],
    ['a@**all** @**Ada** @**All** @_**all**', 'a@**all** @**Ada** @**All** @_**all**'],
    ['\uE0001 @**all** @**\uE0001**', '\uE0001 @_**all** @**\uE0001**'],
    ['no mention', 'no mention'],
  ] as const) {
    it(`become silent outside code: ${JSON.stringify(source)}`, async () => {
      assert.equal(await silenced(source), expected)
    })
  }

  it('become silent by their kinds', async () => {
    const source = '@**all** @**topic** @*ops*'

    assert.equal(await silenced(source, new Set(['channel'])), '@_**all** @**topic** @*ops*')
    assert.equal(await silenced(source, new Set(['topic'])), '@**all** @_**topic** @*ops*')
    assert.equal(await silenced(source, new Set(['group'])), '@**all** @**topic** @_*ops*')
  })

  it('are found in blocks that the default language makes quotes', async () => {
    const source = '```\n@**all**\n```'

    assert.equal(
      await silenced(source, everyKind, { defaultCodeBlockLanguage: 'quote' }),
      '```\n@_**all**\n```',
    )
  })
})
