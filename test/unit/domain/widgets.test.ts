import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { widgetKind, widgetOf } from '../../../packages/core/src/domain/messages/widgets.js'

describe('widgets', () => {
  it('are created by the first word only', () => {
    assert.equal(widgetKind('/poll'), 'poll')
    assert.equal(widgetKind('/todo\nx'), 'todo')
    for (const text of ['/polls', ' /poll', '/POLL', 'poll', '/poll:']) {
      assert.equal(widgetKind(text), undefined, text)
    }
  })

  it('have a title only if the first line has one', () => {
    assert.equal(
      widgetOf('/poll\r\n - a\r\n\r\n-b', undefined),
      '{"widget_type":"poll","extra_data":{"question":"","options":["a","b"]}}',
    )
  })
})
