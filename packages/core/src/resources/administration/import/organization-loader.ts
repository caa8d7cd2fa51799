import { inject } from 'tsyringe'

import { createdValues } from '../../../domain/organizations/audit-actions.js'
import {
  organizationPermissions,
  type OrganizationSettings,
} from '../../../domain/organizations/organization-settings.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { randomToken } from '../../../kernel/random.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { Database, toJson, UnitOfWork, type Transaction } from '../../../storage/index.js'
import { UnwrittenMessageRepository } from '../../channels/unwritten-messages/index.js'
import { ExternalContentAddresses } from '../../files/external-content/index.js'
import { FullMembers } from '../../groups/role-groups/index.js'
import { SearchIndex } from '../../messages/search-index/index.js'
import {
  OrganizationRepository,
  OrganizationService,
} from '../../organization/organizations/index.js'
import { AccountLoader, type PasswordHashes } from './account-loader.js'
import { ChannelLoader } from './channel-loader.js'
import { GroupLoader } from './group-loader.js'
import { ImportContext } from './import-context.js'
import { MessageLoader } from './message-loader.js'
import { requireOrganizationFile } from './organization-file-check.js'
import { OrganizationFileError } from './organization-file-error.js'
import { OrganizationFileFormat } from './organization-file-format.js'
import type { OrganizationFile } from './organization-file-schema.js'
import { prepareFileMessages, type PreparedFileMessage } from './prepared-file-messages.js'
import { SectionLoader } from './section-loader.js'
import { TakenIds } from './taken-ids.js'

export interface LoadedOrganization {
  readonly organizationId: number
  /** False if an organization with this subdomain already existed; nothing was changed then. */
  readonly created: boolean
}

/** Creates whole organizations from files. */
@perServer()
export class OrganizationLoader {
  constructor(
    @inject(OrganizationFileFormat) private readonly format: OrganizationFileFormat,
    @inject(Database) private readonly database: Database,
    @inject(OrganizationRepository) private readonly organizationRows: OrganizationRepository,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(GroupLoader) private readonly groups: GroupLoader,
    @inject(AccountLoader) private readonly accounts: AccountLoader,
    @inject(ChannelLoader) private readonly channels: ChannelLoader,
    @inject(MessageLoader) private readonly messages: MessageLoader,
    @inject(FullMembers) private readonly fullMembers: FullMembers,
    @inject(SectionLoader) private readonly sections: SectionLoader,
    @inject(SearchIndex) private readonly searchIndex: SearchIndex,
    @inject(TakenIds) private readonly takenIds: TakenIds,
    @inject(UnwrittenMessageRepository) private readonly userMessages: UnwrittenMessageRepository,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
    @inject(ExternalContentAddresses) private readonly external: ExternalContentAddresses,
  ) {}

  /**
   * Creates the organization of a file in one transaction.
   *
   * @throws {OrganizationFileError} with all problems of the file, or the ids in it that other
   *   organizations use.
   */
  async load(value: unknown): Promise<LoadedOrganization> {
    const file = await requireOrganizationFile(value, this.format, this.facts)
    const subdomain = file.organization.subdomain ?? ''
    const known = await this.organizationRows.findBySubdomain(subdomain)
    if (known !== undefined) return { organizationId: known.id, created: false }
    // Slow work is done before the transaction, because the transaction blocks other writers.
    const createdAtSeconds = file.organization.created_at_seconds ?? nowSeconds(this.clock)
    const { toProxyUrl } = this.external
    const context = new ImportContext(file, createdAtSeconds, this.facts, this.clock, toProxyUrl)
    const hashes = await this.accounts.hashPasswords(file)
    const prepared = await prepareFileMessages(context)
    try {
      const insert = (tx: Transaction) => this.#insert(tx, context, hashes, prepared)
      const organizationId = await this.unitOfWork.run(0, insert, { yieldsToEventLoop: true })
      return { organizationId, created: true }
    } catch (error) {
      // Another process on the same database created the organization first.
      const other = this.database.dialect.isUniqueViolation(error)
        ? await this.organizationRows.findBySubdomain(subdomain)
        : undefined
      if (other === undefined) throw await this.#withTakenIds(error, file)
      return { organizationId: other.id, created: false }
    } finally {
      this.organizations.forgetNames()
    }
  }

  /** The same error, unless ids of the file are in use; then an error that lists them. */
  async #withTakenIds(error: unknown, file: OrganizationFile): Promise<unknown> {
    if (!this.database.dialect.isUniqueViolation(error)) return error
    const problems = await this.takenIds.problemsOf(file)
    return problems.length === 0 ? error : new OrganizationFileError(problems)
  }

  async #insert(
    outer: Transaction,
    context: ImportContext,
    hashes: PasswordHashes,
    prepared: readonly PreparedFileMessage[],
  ): Promise<number> {
    const { file, createdAtSeconds } = context
    const { organization } = file
    const organizationId = await this.organizationRows.insert(outer, {
      ...(organization.id === undefined ? {} : { id: organization.id }),
      subdomain: organization.subdomain ?? '',
      name: organization.name.trim(),
      created_at_seconds: createdAtSeconds,
      is_deactivated: false,
      epoch: randomToken(6).replaceAll('-', '_'),
      user_defaults: toJson(organization.user_settings_defaults ?? {}),
    })
    const tx = outer.ofNewOrganization(organizationId)
    const { name, subdomain = '' } = organization
    tx.audit({ action: 'organization.loaded', changes: createdValues({ name, subdomain }) })
    await this.searchIndex.begin(tx, prepared.length > 0)
    const permissions = await this.groups.load(tx, file, createdAtSeconds)
    const settings = Object.entries(organization.settings ?? {}).filter(
      ([name]) => !Object.hasOwn(organizationPermissions, name),
    )
    await this.organizationRows.update(tx, {
      settings: toJson({
        // In organizations that anyone may join, read receipts are off unless the file sets them.
        ...(isOpenToAll(context.settings) ? { enable_read_receipts: false } : {}),
        ...Object.fromEntries(settings),
        permissions: permissions.organization,
      }),
    })
    await this.fullMembers.begin(tx, context.waitingPeriodDays)
    await this.accounts.load(tx, file, hashes, createdAtSeconds)
    const recipients = await this.channels.load(tx, context, permissions.channels, createdAtSeconds)
    const userIds = [...file.users, ...(file.bots ?? [])].map(({ id }) => id)
    await this.messages.load(tx, prepared, recipients, userIds, createdAtSeconds)
    await this.sections.load(tx, context)
    await this.sections.reserveIds(tx, context)
    await this.userMessages.noteWritten(tx, userIds)
    return organizationId
  }
}

function isOpenToAll(settings: OrganizationSettings): boolean {
  return !settings.invite_required && !settings.emails_restricted_to_domains
}
