import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

import { inject } from 'tsyringe'

import { ChatError, namedText } from '../../../errors/index.js'
import type { Clock } from '../../../kernel/clock.js'
import type { Logger } from '../../../kernel/logger.js'
import { hostOf, readBody, sendRequest } from '../../../kernel/outgoing-requests.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken, LoggerToken } from '../../../kernel/tokens.js'
import { BigBlueButtonToken, type BigBlueButtonServer } from './video-call-options.js'

/** From the first DNS lookup to the last byte. */
const timeoutMilliseconds = 10_000
const maxAnswerBytes = 65_536

/** A meeting of the BigBlueButton server. */
export interface Meeting {
  readonly id: string
  readonly name: string
  /** Whether cameras are disabled for all users but moderators. */
  readonly isVoiceOnly: boolean
}

/** Signs requests to the BigBlueButton server, and sends those that create meetings. */
@perServer()
export class BigBlueButton {
  readonly #server: BigBlueButtonServer | undefined

  constructor(
    @inject(BigBlueButtonToken)
    { server }: { readonly server: BigBlueButtonServer | undefined },
    @inject(ClockToken) private readonly clock: Clock,
    @inject(LoggerToken) private readonly logger: Logger,
  ) {
    this.#server = server
  }

  /**
   * Signs values of this server with the shared secret, which every process has.
   *
   * @throws {ChatError} `BAD_REQUEST` if there is no BigBlueButton server.
   */
  sign(...values: readonly (string | number | boolean)[]): string {
    const { secret } = this.#require()
    return createHmac('sha256', secret).update(JSON.stringify(values)).digest('hex')
  }

  /** @throws {ChatError} `BAD_REQUEST` if there is no BigBlueButton server. */
  isSignature(text: string, ...values: readonly (string | number | boolean)[]): boolean {
    const signature = Buffer.from(this.sign(...values))
    const given = Buffer.from(text)
    return given.length === signature.length && timingSafeEqual(given, signature)
  }

  /**
   * Creates the meeting; the request has no effect on a meeting that exists.
   *
   * @throws {ChatError} `VIDEO_CALL_SERVER_FAILED` if the BigBlueButton server does not answer, or
   *   refuses.
   */
  async create({ id, name, isVoiceOnly }: Meeting): Promise<void> {
    const url = this.#url('create', {
      meetingID: id,
      name,
      ...(isVoiceOnly && { lockSettingsDisableCam: 'true' }),
    })
    const answer = await this.#answerOf(url)
    if (/<returncode>\s{0,9}SUCCESS\s{0,9}</.test(answer)) return
    const reason = /<messageKey>([^<]{0,100})</.exec(answer)?.[1]
    this.logger.error('The BigBlueButton server did not create a meeting', { reason })
    throw new ChatError('VIDEO_CALL_SERVER_FAILED')
  }

  /** The URL at which a user's browser joins the meeting; it is valid for this user only. */
  joinUrl(
    { id }: Pick<Meeting, 'id'>,
    user: { readonly fullName: string; readonly isModerator: boolean },
  ): string {
    const role = user.isModerator ? 'MODERATOR' : 'VIEWER'
    return this.#url('join', { fullName: user.fullName, meetingID: id, role })
  }

  /** The URL of a call, with its checksum: of the call's name, the query and the shared secret. */
  #url(call: 'create' | 'join', parameters: Readonly<Record<string, string>>): string {
    const { url, secret } = this.#require()
    const query = new URLSearchParams(parameters).toString()
    const checksum = createHash('sha256').update(`${call}${query}${secret}`).digest('hex')
    return `${url.replace(/\/$/, '')}/api/${call}?${query}&checksum=${checksum}`
  }

  async #answerOf(address: string): Promise<string> {
    const url = new URL(address)
    const controller = new AbortController()
    const timer = this.clock.setTimeout(() => controller.abort(), timeoutMilliseconds)
    try {
      const response = await sendRequest({
        url,
        method: 'GET',
        headers: { accept: 'application/xml, text/xml', 'accept-encoding': 'identity' },
        // The application has chosen the server, which may be in its own network.
        privateHosts: new Set([hostOf(url)]),
        signal: controller.signal,
      })
      return (await readBody(response, maxAnswerBytes)).toString('utf8')
    } catch (error) {
      this.logger.error('The BigBlueButton server did not answer', { err: error })
      throw new ChatError('VIDEO_CALL_SERVER_FAILED', { cause: error })
    } finally {
      timer.cancel()
    }
  }

  #require(): BigBlueButtonServer {
    if (this.#server !== undefined) return this.#server
    throw new ChatError('BAD_REQUEST', { text: namedText('VIDEO_CALLS_NOT_CONFIGURED') })
  }
}
