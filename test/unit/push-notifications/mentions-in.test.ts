import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { mentionsIn } from '../../../packages/core/src/resources/notifications/push/mentioning-groups.js'

describe('the mentions in a rendered message', () => {
  it('are those of users and groups, in their order', () => {
    const { userIds, groupIds } = mentionsIn(
      '<p><span class="user-mention" data-user-id="7">@Ann</span> ' +
        '<span class="user-group-mention" data-user-group-id="12">@night</span> ' +
        '<span class="user-group-mention" data-user-group-id="3">@day</span></p>',
    )

    assert.deepEqual([[...userIds], [...groupIds]], [[7], [12, 3]])
  })

  it('contain no silent mentions, no wildcards, and no HTML typed by users', () => {
    const { userIds, groupIds } = mentionsIn(
      '<p><span class="user-mention silent" data-user-id="7">Ann</span> ' +
        '<span class="user-mention channel-wildcard-mention" data-user-id="*">@all</span> ' +
        '<span class="user-group-mention silent" data-user-group-id="3">day</span> ' +
        '<code>&lt;span class="user-mention" data-user-id="8"&gt;</code></p>',
    )

    assert.deepEqual([[...userIds], [...groupIds]], [[], []])
  })
})
