import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

import { ChatError, namedText } from '../errors/index.js'
import type { FrameworkFacts } from '../http/chat-request.js'
import type { HttpPipeline } from '../http/pipeline/pipeline.js'
import { toChatRequest } from '../node/index.js'
import {
  getEvents,
  type EventSocketGate,
  type RegistrationParameters,
  type SocketRequest,
} from '../resources/realtime/event-queues/index.js'

type SocketParameters = RegistrationParameters & {
  queue_id?: string
  last_event_id?: number
  dont_block: boolean
}

/** The version of the messages on the connection; see `docs/events-and-websockets.md`. */
const socketVersion = '1'

/** Handles the WebSocket upgrades of `GET /events`: same path, parameters and credentials. */
export class SocketUpgrade {
  constructor(
    private readonly pipeline: HttpPipeline,
    private readonly gate: EventSocketGate,
  ) {}

  /** @returns false if the path is not the chat's; nothing was done then. */
  handle(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    framework: FrameworkFacts | undefined,
  ): boolean {
    // A socket has the needed members of the connection, except `writableFinished` of responses.
    const chatRequest = toChatRequest(request, socket as never, { framework })
    if (!this.pipeline.isFor(getEvents, chatRequest.method, chatRequest.path)) return false
    const identify = async (): Promise<SocketRequest> => {
      requireSocketVersion(chatRequest.query)
      const context = await this.pipeline.prepare(chatRequest, getEvents)
      if (context?.actor === undefined) throw new ChatError('UNAUTHORIZED')
      // The parameters that `get-events` declares, which decoding has checked.
      const params = context.params as SocketParameters
      const { queue_id, last_event_id, dont_block: _, ...registration } = params
      return {
        actor: context.actor,
        clientName: context.request.clientName,
        session: context.request.session,
        queueId: queue_id,
        lastEventId: last_event_id,
        registration,
      }
    }
    const failureOf = (error: unknown): ChatError => this.pipeline.failureOf(error, getEvents)
    this.gate.open({ request, socket, head, identify, failureOf })
    return true
  }
}

/** @throws {ChatError} `BAD_REQUEST` if the client asks for a version that this server lacks. */
function requireSocketVersion(query: string): void {
  const version = new URLSearchParams(query).get('socket_version') ?? socketVersion
  if (version !== socketVersion) {
    throw new ChatError('BAD_REQUEST', {
      text: namedText('SOCKET_VERSION_NOT_SUPPORTED', { version: socketVersion }),
    })
  }
}
