import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/users/actor.js'
import { badRequest, ChatError } from '../../../errors/index.js'
import { apiUrl } from '../../../kernel/chat-address.js'
import { perServer } from '../../../kernel/per-server.js'
import { randomToken } from '../../../kernel/random.js'
import { Database } from '../../../storage/index.js'
import { loginLocation, SignOnToken, type SignOn } from '../../access/single-sign-on/index.js'
import { UserRepository } from '../../people/users/index.js'
import { BigBlueButton } from './big-blue-button.js'

/** Relative to the API. */
export const joinPath = '/calls/bigbluebutton/join'

/** A link to a call: the parameters of its URL. */
export interface CallLink {
  readonly meeting_id: string
  readonly name: string
  /** The id of the user who has created the call. */
  readonly moderator_id: number
  readonly voice_only: boolean
}

/** Video calls on the BigBlueButton server of the application. */
@perServer()
export class VideoCalls {
  readonly #signOn: SignOn | undefined

  constructor(
    @inject(BigBlueButton) private readonly bigBlueButton: BigBlueButton,
    @inject(Database) private readonly database: Database,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(SignOnToken) { signOn }: { readonly signOn: SignOn | undefined },
  ) {
    this.#signOn = signOn
  }

  /**
   * The link to a new call, for every user of the organization. It leads to this server, because
   * the BigBlueButton server deletes a meeting that everyone has left, and because each user joins
   * with their own name and role.
   *
   * @throws {ChatError} `BAD_REQUEST` if there is no BigBlueButton server.
   */
  create(actor: Actor, name: string, isVoiceOnly: boolean, chatUrl: string): string {
    const link: CallLink = {
      meeting_id: `parley-${randomToken(15)}`,
      name,
      moderator_id: actor.userId,
      voice_only: isVoiceOnly,
    }
    const checksum = this.bigBlueButton.sign(...valuesOf(actor.organizationId, link))
    return apiUrl(chatUrl, `${joinPath}?${queryOf(link, checksum)}`)
  }

  /**
   * Where the browser of a user who follows a link goes next: to the call, or to the login page of
   * the application.
   *
   * @throws {ChatError} `BAD_REQUEST` if the link is not one of this server,
   *   `VIDEO_CALL_SERVER_FAILED`, or `UNAUTHORIZED` without a login page.
   */
  async join(
    actor: Actor | undefined,
    organizationId: number,
    link: CallLink,
    checksum: string,
    chatUrl: string,
  ): Promise<string> {
    if (!this.bigBlueButton.isSignature(checksum, ...valuesOf(organizationId, link))) {
      throw badRequest('VIDEO_CALL_SIGNATURE_INVALID')
    }
    if (actor === undefined) {
      if (this.#signOn === undefined) throw new ChatError('UNAUTHORIZED')
      const own = new URL(apiUrl(chatUrl, `${joinPath}?${queryOf(link, checksum)}`))
      return loginLocation(this.#signOn, own.pathname + own.search, chatUrl)
    }
    const user = await this.users.find(this.database.read(organizationId), actor.userId)
    if (user === undefined) throw new ChatError('UNAUTHORIZED')
    const meeting = { id: link.meeting_id, name: link.name, isVoiceOnly: link.voice_only }
    await this.bigBlueButton.create(meeting)
    return this.bigBlueButton.joinUrl(meeting, {
      fullName: user.full_name,
      isModerator: actor.userId === link.moderator_id,
    })
  }
}

function valuesOf(organizationId: number, link: CallLink): (string | number | boolean)[] {
  return [joinPath, organizationId, link.meeting_id, link.name, link.moderator_id, link.voice_only]
}

function queryOf(link: CallLink, checksum: string): string {
  const { meeting_id, name, moderator_id, voice_only } = link
  return new URLSearchParams({
    meeting_id,
    name,
    moderator_id: String(moderator_id),
    voice_only: String(voice_only),
    checksum,
  }).toString()
}
