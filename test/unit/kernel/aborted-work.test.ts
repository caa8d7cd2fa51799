import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { describe, it } from 'node:test'

import { abortedAfter } from '../../../packages/core/src/kernel/aborted-work.js'
import { silentLogger } from '../../../packages/core/src/kernel/logger.js'
import { Mailer } from '../../../packages/core/src/resources/accounts/email-changes/mailer.js'
import { FakeClock } from '../../support/fake-clock.js'

const hung = new Promise<never>(() => {})

describe('abortedAfter', () => {
  const aborted = (signal: AbortSignal): Promise<string> =>
    new Promise((resolve) => {
      if (signal.aborted) resolve('aborted from the beginning')
      else signal.addEventListener('abort', () => resolve('aborted'))
    })

  it('aborts the work when the time has elapsed', async () => {
    const clock = new FakeClock()
    const result = abortedAfter(clock, 1000, new AbortController().signal, aborted)
    clock.advance(1)
    assert.equal(await result, 'aborted')
  })

  it('aborts the work when the server closes', async () => {
    const stopping = new AbortController()
    const result = abortedAfter(new FakeClock(), 1000, stopping.signal, aborted)
    stopping.abort()
    assert.equal(await result, 'aborted')
  })

  it('aborts work that begins while the server closes', async () => {
    const result = await abortedAfter(new FakeClock(), 1000, AbortSignal.abort(), aborted)
    assert.equal(result, 'aborted from the beginning')
  })

  it('leaves nothing at the signal of the server', async () => {
    const { signal } = new AbortController()
    await abortedAfter(new FakeClock(), 1000, signal, async () => {
      assert.equal(getEventListeners(signal, 'abort').length, 1)
    })
    assert.equal(getEventListeners(signal, 'abort').length, 0)
  })
})

describe('Mailer.trySendInTime', () => {
  const mail = { to: 'a@b.example', subject: 'Hello', text: 'Hello' }

  it('sends nothing when the server is closing already', async () => {
    let sent = 0
    const send = (): Promise<void> => {
      sent += 1
      return hung
    }
    const mailer = new Mailer({ sender: { send } }, new FakeClock(), silentLogger)
    assert.equal(await mailer.trySendInTime(mail, AbortSignal.abort()), false)
    assert.equal(sent, 0)
  })

  it('does not wait longer than a minute, or than the server runs', async () => {
    const clock = new FakeClock()
    const mailer = new Mailer({ sender: { send: () => hung } }, clock, silentLogger)
    const inTime = mailer.trySendInTime(mail, new AbortController().signal)
    clock.advance(60)
    assert.equal(await inTime, false)
    const stopping = new AbortController()
    const stopped = mailer.trySendInTime(mail, stopping.signal)
    stopping.abort()
    assert.equal(await stopped, false)
  })
})
