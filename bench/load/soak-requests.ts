import { authorizationOf } from '../harness/organization.js'
import { SoakPlan } from '../harness/soak-plan.js'
import { HttpConnection, postRequest } from './http-connection.js'
import { resultOf, until, type BusyResult } from './request-load.js'

export interface SoakRequestsTask {
  readonly port: number
  readonly users: number
  readonly sendsPerSecond: number
  readonly milliseconds: number
}

/** What was done besides sending. */
export interface SoakResult extends BusyResult {
  readonly edits: number
  readonly flags: number
  readonly joins: number
}

const connectionCount = 50

/** Sends messages at fixed points in time; what else people do follows some of them. */
export class SoakRequests {
  /** Who is in the lobby. */
  readonly #visitors = new Set<number>()
  #next = 0

  async run({ port, users, sendsPerSecond, milliseconds }: SoakRequestsTask): Promise<SoakResult> {
    const plan = new SoakPlan(users)
    const latencies: number[] = []
    const done = { edits: 0, flags: 0, joins: 0 }
    const first = this.#next
    const start = performance.now()
    const work = async (connection: HttpConnection): Promise<void> => {
      for (;;) {
        const number = this.#next
        const due = start + ((number - first) * 1000) / sendsPerSecond
        // A machine that cannot keep up sends fewer.
        if (Math.max(due, performance.now()) >= start + milliseconds) return
        this.#next += 1
        const { senderId, channelId, others } = plan.message(number)
        const ask = async (
          userId: number,
          path: string,
          fields: Readonly<Record<string, string>>,
          method = 'POST',
        ): Promise<string> => {
          const { status, body } = await connection.send(
            postRequest(`/api/v1${path}`, authorizationOf(userId), fields, method),
          )
          if (status !== 200) throw new Error(`${method} ${path} failed with ${status}: ${body}`)
          return body
        }

        const from = await until(due)
        const sent = await ask(senderId, '/messages', {
          type: 'channel',
          to: String(channelId),
          topic: `topic ${number % 10}`,
          content: `Message **${number}** of the soak`,
        })
        latencies.push(performance.now() - from)
        const { id } = JSON.parse(sent) as { id: number }
        if (number % 10 === 3) {
          await ask(senderId, `/messages/${id}`, { content: `Changed *${number}*` }, 'PATCH')
          done.edits += 1
        }
        if (number % 10 === 7) {
          const fields = { messages: `[${id}]`, op: 'add' }
          for (const userId of others) {
            await ask(userId, '/messages/flags', { ...fields, flag: 'read' })
            done.flags += 1
          }
          await ask(senderId, '/messages/flags', { ...fields, flag: 'starred' })
          done.flags += 1
        }
        if (number % 50 === 25) {
          const isVisitor = this.#visitors.delete(senderId)
          if (!isVisitor) this.#visitors.add(senderId)
          await ask(
            senderId,
            '/users/me/subscriptions',
            {
              subscriptions: JSON.stringify(
                isVisitor ? [plan.lobbyName] : [{ name: plan.lobbyName }],
              ),
            },
            isVisitor ? 'DELETE' : 'POST',
          )
          done.joins += 1
        }
      }
    }
    await Promise.all(
      Array.from({ length: connectionCount }, async () => {
        const connection = new HttpConnection(port)
        try {
          await work(connection)
        } finally {
          connection.close()
        }
      }),
    )
    return { ...resultOf(latencies, performance.now() - start), ...done }
  }
}
