import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

import { sendChatResponse, toChatRequest } from '@parley/core'

import { withCleanUp, type CleanUp } from '../harness/clean-up.js'
import { sqlite } from '../harness/databases.js'
import { HeldBus } from '../harness/held-bus.js'
import { listen, startChat } from '../harness/host.js'
import { interleave, series, type Sample } from '../harness/interleave.js'
import { LoadClient } from '../harness/load-client.js'
import { messageAnswer } from '../harness/message-answer.js'
import { authorizationOf, numbers } from '../harness/organization.js'
import { processorSeconds } from '../harness/processor-time.js'
import { registerQueues } from '../harness/queues.js'
import type { Row } from '../harness/row.js'

/** The storing of the message is not what is measured: few users with many queues each. */
const userCount = 25
const queuesPerUser = 24
const pollerCount = userCount * queuesPerUser
const cyclesPerRound = 10
const marker = 'the quick brown fox'
const sampleAnswer = messageAnswer(marker)

/** Polls that wait for a message and bring it, against `node:http` parking and answering. */
export const longPoll: Row = {
  name: 'long-poll wake-up',
  run: () =>
    withCleanUp(async (opened) => {
      const floor = await startFloor(new LoadClient(opened), opened)
      const ours = await startOurs(new LoadClient(opened), opened)
      const rounds = await interleave(floor, ours)
      return [
        {
          name: `long-poll wake-up, ${pollerCount} waiting`,
          unit: 'answers/CPU s',
          floor: series(rounds.floor, 'woken'),
          ours: series(rounds.ours, 'woken'),
          aim: { atLeast: 0.75 },
        },
        {
          name: 'long-poll, parking and wake-up together',
          unit: 'polls/CPU s',
          floor: series(rounds.floor, 'polls'),
          ours: series(rounds.ours, 'polls'),
          aim: undefined,
        },
        {
          name: `long-poll, wake-up to the last of ${pollerCount} answers`,
          unit: 'ms',
          floor: series(rounds.floor, 'milliseconds'),
          ours: series(rounds.ours, 'milliseconds'),
          aim: undefined,
        },
      ]
    }),
}

async function startOurs(load: LoadClient, opened: CleanUp): Promise<() => Promise<Sample>> {
  const database = await sqlite.create(opened)
  const bus = new HeldBus()
  const { chat } = await startChat(
    opened,
    database,
    { users: userCount, subscribers: [userCount] },
    { bus, logPollMilliseconds: 0 },
  )
  let arrived = 0
  // Mounted as the floor is, without a framework in between.
  const { port } = await listen(opened, (request, response) => {
    arrived += 1
    chat.handle(toChatRequest(request, response)).then(
      (answer) => answer && sendChatResponse(response, answer),
      () => response.destroy(),
    )
  })
  const sender = chat.as({ userId: 1 })
  const queues = await registerQueues(
    load,
    port,
    numbers(userCount).flatMap((userId) => Array<number>(queuesPerUser).fill(userId)),
  )
  await load.call('openPollers', {
    port,
    pollers: queues.map(({ userId, queueId, lastEventId }) => ({
      path: `/api/v1/events?queue_id=${queueId}&last_event_id=`,
      lastEventId,
      authorization: authorizationOf(userId),
    })),
  })
  const parked = async (count: number): Promise<void> => {
    await until(() => arrived >= count)
    // Each has still to be let in, which nobody outside can see. One that comes late costs the
    // measurement its own parking, but is answered all the same.
    await delay(100)
  }
  arrived = 0
  const store = async (): Promise<void> => {
    bus.hold()
    await sender.api.sendMessage({ type: 'channel', to: 1, topic: 'greetings', content: marker })
  }
  return cyclesOf(load, { parked, store, wake: () => bus.release() })
}

async function startFloor(load: LoadClient, opened: CleanUp): Promise<() => Promise<Sample>> {
  let parked: ServerResponse[] = []
  const { port } = await listen(opened, (_, response) => parked.push(response))
  await load.call('openPollers', {
    port,
    pollers: numbers(pollerCount).map((userId) => ({
      path: `/events?queue_id=AbCdEfGh-AbCdEfGhIjKlMnOpQrStUvWx&last_event_id=`,
      lastEventId: 125_952,
      authorization: authorizationOf(userId),
    })),
  })
  let woken = 0
  const allParked = async (count: number): Promise<void> => {
    await until(() => woken + parked.length >= count)
  }
  const store = async (): Promise<void> => {}
  const wake = (): void => {
    const waiting = parked
    woken += waiting.length
    parked = []
    for (const response of waiting) {
      response.writeHead(200, {
        'Content-Type': 'application/json',
        'Content-Length': sampleAnswer.length,
      })
      response.end(sampleAnswer)
    }
  }
  return cyclesOf(load, { parked: allParked, store, wake })
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await delay(5)
}

interface Side {
  /** Resolves once so many polls, of all cycles, have come to wait. */
  readonly parked: (count: number) => Promise<void>
  readonly store: () => Promise<void>
  /** Answers all who wait with what was stored. */
  readonly wake: () => void
}

function cyclesOf(load: LoadClient, { parked, store, wake }: Side): () => Promise<Sample> {
  let expected = 0
  return async () => {
    let parkingSeconds = 0
    let wakingSeconds = 0
    let wakingMilliseconds = 0
    for (let cycle = 0; cycle < cyclesPerRound; cycle += 1) {
      expected += pollerCount
      let answered: Promise<unknown> | undefined
      parkingSeconds += await processorSeconds(async () => {
        answered = load.call('pollOnce', { marker })
        await parked(expected)
      })
      await store()
      const wokenAt = performance.now()
      wakingSeconds += await processorSeconds(async () => {
        wake()
        await answered
      })
      wakingMilliseconds += performance.now() - wokenAt
    }
    const polls = cyclesPerRound * pollerCount
    return {
      woken: polls / wakingSeconds,
      polls: polls / (parkingSeconds + wakingSeconds),
      milliseconds: wakingMilliseconds / cyclesPerRound,
    }
  }
}
