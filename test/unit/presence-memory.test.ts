import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { PresenceTimes } from '../../packages/core/src/resources/personal/presence/presence.js'
import { OrganizationPresences } from '../../packages/core/src/resources/personal/presence/organization-presences.js'
import type { UserPresenceRow } from '../../packages/core/src/resources/personal/presence/presence-repository.js'

const userIds = [1, 2, 3, 4, 5]

const userOf = (id: number) => ({
  id,
  email: `user${id}@example.com`,
  email_address_visibility: 1,
  joined_at_milliseconds: 0,
})

/** The rows of one organization, with the counter of its updates. */
class Table {
  readonly rows = new Map<number, UserPresenceRow>()
  counter = 0

  after(updateId: number): UserPresenceRow[] {
    return [...this.rows.values()]
      .filter(({ update_id }) => (update_id ?? 0) > updateId)
      .sort((a, b) => (a.update_id ?? 0) - (b.update_id ?? 0))
  }

  /** What the transaction of an exchange does; `during` happens before it is known to be committed. */
  exchange(presences: OrganizationPresences, during = () => {}): void {
    const others = presences.isLatest(this.counter) ? [] : this.after(presences.newestStored)
    const changes = presences.changes()
    const exchange = presences.exchange(this.counter, others, () => true, changes)
    for (const { row } of exchange.stored) {
      const before = this.after(0).at(-1)?.update_id ?? 0
      assert.ok(row.updateId > before, 'ids are in the order of the commits')
      this.rows.set(row.user.id, {
        ...row.user,
        active_at_seconds: row.activeAt,
        connected_at_seconds: row.connectedAt,
        update_id: row.updateId,
      })
    }
    this.counter = exchange.reservedTo
    during()
    presences.commit(exchange)
  }
}

/** A client that applies what it is told, and asks any process for more. */
class Client {
  readonly known = new Map<number, number>()
  lastUpdateId = 0

  ask(presences: OrganizationPresences): void {
    for (const { user, connectedAt, updateId } of presences.after(this.lastUpdateId)) {
      this.known.set(user.id, Math.max(connectedAt, this.known.get(user.id) ?? 0))
      this.lastUpdateId = Math.max(this.lastUpdateId, updateId ?? 0)
    }
  }
}

function randomOf(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const timesAt = (at: number): PresenceTimes => ({ activeAt: at, connectedAt: at })

describe('presences in the memory of several processes', () => {
  it('reach every client, whichever process it asks, in random histories', () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const random = randomOf(seed)
      const table = new Table()
      const processes = [new OrganizationPresences(), new OrganizationPresences()]
      const clients = [new Client(), new Client(), new Client()]
      const newest = new Map<number, number>()
      const pick = <Value>(values: readonly Value[]): Value =>
        values[random(values.length)] as Value
      let now = 0
      const report = (): void => {
        now += 1
        const id = pick(userIds)
        newest.set(id, now)
        pick(processes).report(userOf(id), timesAt(now))
      }
      for (let step = 0; step < 60; step += 1) {
        const presences = pick(processes)
        const kind = random(10)
        if (kind < 4) report()
        else if (kind < 8) pick(clients).ask(presences)
        else if (kind < 9) table.exchange(presences, random(2) === 0 ? report : () => {})
        else presences.adopt(table.after(presences.newestStored))
        // A process ends, and another one takes its place.
        if (random(60) === 0 && !presences.hasChanges) {
          processes[processes.indexOf(presences)] = restarted(table)
        }
      }

      for (const presences of processes) table.exchange(presences)
      for (const presences of processes) presences.adopt(table.after(presences.newestStored))

      for (const presences of processes) {
        for (const [id, at] of newest) {
          assert.equal(presences.find(id)?.connectedAt, at, `seed ${seed}, user ${id}`)
        }
      }
      for (const client of clients) {
        client.ask(pick(processes))
        assert.deepEqual(
          [...client.known].sort(([a], [b]) => a - b),
          [...newest].sort(([a], [b]) => a - b),
          `seed ${seed}`,
        )
      }
    }
  })

  it('are told once to a client of a single process, with increasing ids', () => {
    const table = new Table()
    const presences = new OrganizationPresences()
    table.exchange(presences)
    let lastUpdateId = 0
    for (let at = 1; at <= 2000; at += 1) {
      presences.report(userOf((at % 7) + 1), timesAt(at))
      const [news, ...more] = presences.after(lastUpdateId)
      assert.deepEqual(more, [])
      assert.ok((news?.updateId ?? 0) > lastUpdateId)
      lastUpdateId = news?.updateId ?? 0
      if (at % 100 === 0) table.exchange(presences)
      assert.deepEqual(presences.after(lastUpdateId), [])
    }
  })

  it('get ids above all that another process has given out before it ended without storing them', () => {
    const table = new Table()
    const ended = new OrganizationPresences()
    table.exchange(ended)
    for (let at = 1; at <= 100; at += 1) ended.report(userOf(1), timesAt(at))
    const givenOut = ended.find(1)?.updateId ?? 0

    const next = restarted(table)
    table.exchange(next)
    next.report(userOf(2), timesAt(200))

    assert.ok(givenOut > 0)
    assert.ok((next.find(2)?.updateId ?? 0) > givenOut)
  })

  it('are told again rather than not at all when the reserved ids are used up', () => {
    const table = new Table()
    const presences = new OrganizationPresences()
    table.exchange(presences)
    let at = 0
    while (presences.report(userOf(1), timesAt((at += 1)))) assert.ok(at < 10_000)

    const first = presences.after(10_000)
    table.exchange(presences)

    assert.deepEqual(
      first.map(({ updateId }) => updateId),
      [undefined],
    )
    assert.ok((presences.find(1)?.updateId ?? 0) > at - 1)
    assert.equal(presences.after(at - 1).length, 1)
  })
})

function restarted(table: Table): OrganizationPresences {
  const presences = new OrganizationPresences()
  presences.adopt(table.after(0))
  return presences
}
