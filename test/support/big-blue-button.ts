import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A meeting that a client has created. */
export type CreatedMeeting = Readonly<Record<string, string>>

/**
 * A small HTTP program that accepts requests as a BigBlueButton server does: only with the checksum
 * of the call's name, the query as sent, and the shared secret.
 */
export class BigBlueButtonServer {
  readonly secret = 'shared secret of the meeting server'
  /** By id. */
  readonly meetings = new Map<string, CreatedMeeting>()
  /** The users who have joined, with the parameters of their requests. */
  readonly joined: CreatedMeeting[] = []
  /** Sent instead of the usual response to `create`, if set. */
  answer: string | undefined
  readonly #server: Server

  constructor() {
    this.#server = createServer((request, response) => {
      const [path = '', queryAndChecksum = ''] = (request.url ?? '').split('?')
      const call = /^\/bigbluebutton\/api\/(create|join)$/.exec(path)?.[1]
      const [, query = '', checksum] = /^(.*)&checksum=([^&]*)$/.exec(queryAndChecksum) ?? []
      response.setHeader('content-type', 'application/xml')
      response.end(this.#respond(call, query, checksum))
    })
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  /** As an application configures it. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/bigbluebutton/`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #respond(call: string | undefined, query: string, checksum: string | undefined): string {
    const right = createHash('sha256').update(`${call}${query}${this.secret}`).digest('hex')
    if (call === undefined || checksum !== right) return failed('checksumError')
    const parameters = Object.fromEntries(new URLSearchParams(query))
    const { meetingID = '' } = parameters
    if (call === 'create') {
      if (this.answer !== undefined) return this.answer
      if (!this.meetings.has(meetingID)) this.meetings.set(meetingID, parameters)
      return `<response><returncode>SUCCESS</returncode><meetingID>${meetingID}</meetingID></response>`
    }
    if (!this.meetings.has(meetingID)) return failed('notFound')
    this.joined.push(parameters)
    return '<response><returncode>SUCCESS</returncode></response>'
  }
}

function failed(key: string): string {
  return `<response><returncode>FAILED</returncode><messageKey>${key}</messageKey></response>`
}
