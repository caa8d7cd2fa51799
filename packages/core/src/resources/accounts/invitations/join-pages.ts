import { inject } from 'tsyringe'

import { ChatError, visitorText } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { ReaderTexts } from '../../organization/organizations/index.js'
import { InvitationsOptionToken, type InvitationsOption } from './invitation-settings.js'
import { joinPage, type JoinPageSettings } from './join-page.js'
import { JoinService, type JoinForm, type JoinRequest } from './join-service.js'

/** The organization of a request. */
interface Addressed {
  readonly id: number
  readonly subdomain: string
}

/** Answers requests for the page on which people accept invitations. */
@perServer()
export class JoinPages {
  readonly #settings: JoinPageSettings

  constructor(
    @inject(JoinService) private readonly joining: JoinService,
    @inject(ReaderTexts) private readonly texts: ReaderTexts,
    @inject(InvitationsOptionToken) { termsUrl, continueUrl }: InvitationsOption,
    @inject(ServerFactsToken) { passwordPolicy }: ServerFacts,
  ) {
    this.#settings = { termsUrl, continueUrl, minPasswordLength: passwordPolicy.minLength }
  }

  /**
   * @returns the page, or the address of the application's own.
   * @throws {ChatError} the errors of {@link JoinService.begin}.
   */
  async begin(
    organization: Addressed,
    token: string,
    chatUrl: string,
    acceptLanguage: string | undefined,
  ): Promise<{ readonly page: Buffer } | { readonly location: string }> {
    const location = this.joining.ownPageOf(token, chatUrl, organization.subdomain)
    if (location !== undefined) return { location }
    const view = await this.joining.begin(organization.id, token)
    const writer = await this.texts.writerForPage(organization.id, acceptLanguage)
    return { page: joinPage(view, this.#settings, writer) }
  }

  /**
   * Processes a form. If something in it is invalid, the page shows it again, without the password.
   *
   * @throws {ChatError} the errors of {@link JoinService.submit} about anything else.
   */
  async submit(
    { id }: Addressed,
    token: string,
    form: JoinForm,
    request: JoinRequest,
    acceptLanguage: string | undefined,
  ): Promise<{ readonly page: Buffer; readonly status: number }> {
    const view = await this.joining.begin(id, token)
    const writer = await this.texts.writerForPage(id, acceptLanguage)
    try {
      const step = await this.joining.submit(id, token, form, request)
      return { page: joinPage({ ...view, step }, this.#settings, writer), status: 200 }
    } catch (error) {
      if (!(error instanceof ChatError) || error.kind !== 'BAD_REQUEST') throw error
      const { email, fullName } = form
      const entered = { email, fullName, problem: visitorText(error, writer) }
      return { page: joinPage(view, this.#settings, writer, entered), status: error.status }
    }
  }
}
