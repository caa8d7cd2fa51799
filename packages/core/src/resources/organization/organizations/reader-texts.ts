import { inject } from 'tsyringe'

import type { OrganizationState } from '../../../domain/organizations/organization-state.js'
import { parseUserSettings, type UserSettingsJson } from '../../../domain/users/user-settings.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { english, englishWriter, Translator, type TextWriter } from '../../../texts/index.js'
import { OrganizationService } from './organization-service.js'

/** A user. */
interface Reader {
  readonly settings: UserSettingsJson
}

/** Writes texts of the server in the languages of their readers. */
@perServer()
export class ReaderTexts {
  constructor(
    @inject(Translator) private readonly translator: Translator,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
  ) {}

  /**
   * Writes in the language of a user, if the server has it; otherwise in that of the organization,
   * or in English. Without languages, no statement is needed.
   *
   * @param reader only read with languages; undefined for texts that all users of the organization
   *   read.
   */
  async writerFor(
    scope: OrganizationScope,
    reader?: Reader | (() => Promise<Reader>),
  ): Promise<TextWriter> {
    const { translator } = this
    if (!translator.isOn) return englishWriter
    const known = typeof reader === 'function' ? await reader() : reader
    const own = known && parseUserSettings(known.settings).default_language
    if (own !== undefined && translator.has(own)) return translator.writerIn(own)
    return this.#writerOf(await this.organizations.requireWithin(scope))
  }

  /**
   * Writes a page in a language that the header `Accept-Language` prefers; otherwise as for all
   * users of the organization.
   */
  async writerForPage(
    organizationId: number,
    acceptLanguage: string | undefined,
  ): Promise<TextWriter> {
    const { translator } = this
    if (!translator.isOn) return englishWriter
    const preferred = translator.preferredBy(acceptLanguage)
    if (preferred !== undefined) return translator.writerIn(preferred)
    return this.#writerOf(await this.organizations.require(organizationId))
  }

  #writerOf({ settings }: OrganizationState): TextWriter {
    const { translator } = this
    const shared = settings.default_language
    return translator.writerIn(translator.has(shared) ? shared : english)
  }
}
