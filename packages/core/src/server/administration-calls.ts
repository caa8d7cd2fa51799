import type { InjectionToken } from 'tsyringe'

import { knownOptions } from '../kernel/known-options.js'
import { AccessTokens, SessionEnding } from '../resources/access/authentication/index.js'
import { ExternalAccountDeactivation } from '../resources/accounts/user-administration/index.js'
import {
  AuditLog,
  type AuditLogEntry,
  type AuditOptions,
} from '../resources/administration/audit-log/index.js'
import { OrganizationLoader } from '../resources/administration/import/index.js'
import {
  OrganizationExport,
  OrganizationImport,
} from '../resources/administration/organization-archive/index.js'
import {
  OrganizationCreation,
  OrganizationDeletion,
  OrganizationDirectory,
  OrganizationLifecycle,
  type ApplicationOrganization,
} from '../resources/administration/organization-lifecycle/index.js'
import {
  UserErasure,
  UserExport,
  type ExportOptions,
} from '../resources/administration/personal-data/index.js'
import { UnreadCounts, type UnreadOptions } from '../resources/messages/unread-counts/index.js'
import {
  ExternalDirectory,
  UserSync,
  type AccountReference,
  type OrganizationReference,
} from '../resources/people/users/index.js'
import { ApplicationPresences } from '../resources/personal/presence/index.js'
import type { CallOptions } from './call-options.js'
import type { ChatChannels, ChatInvitations, ChatOrganizations } from './chat-administration.js'
import type { ChatServer } from './chat-server.js'
import type { ChatUsers } from './chat-users.js'
import { UserCalls, type CallRunner } from './user-calls.js'

/** How calls of the application reach the services of a server. */
export interface ServerCalls {
  readonly run: CallRunner
  readonly resolve: <Service>(token: InjectionToken<Service>) => Service
}

const inOrganization = (
  name: string,
  options: OrganizationReference | undefined,
): OrganizationReference | undefined =>
  knownOptions(`chat.${name}`, options, { organization: true })

const inTransaction = (name: string, options: CallOptions | undefined): CallOptions | undefined =>
  knownOptions(`chat.${name}`, options, { within: true })

/** `chat.users`. */
export function userAdministration({ run, resolve }: ServerCalls): ChatUsers {
  return {
    sync: async (users, options) =>
      run(() =>
        resolve(UserSync).sync(
          users,
          knownOptions('chat.users.sync', options, {
            organization: true,
            deactivateMissing: true,
            groups: true,
          }),
        ),
      ),
    find: async (externalId, options) =>
      run(() => resolve(ExternalDirectory).find(externalId, inOrganization('users.find', options))),
    idOf: async (externalIds, options) =>
      run(() =>
        resolve(ExternalDirectory).idOf(externalIds, inOrganization('users.idOf', options)),
      ),
    externalIdOf: async (ids, options) =>
      run(() =>
        resolve(ExternalDirectory).externalIdOf(ids, inOrganization('users.externalIdOf', options)),
      ),
    unread: ofOneOrMany(async (ids, options?: UnreadOptions) =>
      run(() => resolve(UnreadCounts).of(ids, options)),
    ),
    presence: ofOneOrMany(async (ids, options?: OrganizationReference) =>
      run(() => resolve(ApplicationPresences).of(ids, options)),
    ),
    createToken: async (user, options) =>
      run(() =>
        resolve(AccessTokens).create(
          user,
          knownOptions('chat.users.createToken', options, {
            organization: true,
            expiresInSeconds: true,
          }),
        ),
      ),
    endSessions: async (user, options) =>
      run(() =>
        resolve(SessionEnding).end(
          user,
          knownOptions('chat.users.endSessions', options, { organization: true, apiKeys: true }),
        ),
      ),
    deactivate: async (user, options) =>
      run(() =>
        resolve(ExternalAccountDeactivation).deactivate(
          user,
          inOrganization('users.deactivate', options),
        ),
      ),
    reactivate: async (user, options) =>
      run(() =>
        resolve(ExternalAccountDeactivation).reactivate(
          user,
          inOrganization('users.reactivate', options),
        ),
      ),
    erase: async (user, options) =>
      run(() =>
        resolve(UserErasure).erase(
          user,
          knownOptions('chat.users.erase', options, { organization: true, messages: true }),
        ),
      ),
    export: (user, options) => exportLines({ run, resolve }, user, options),
  }
}

/** A call for one user or many, by the application's ids. */
function ofOneOrMany<Options, Value>(
  ofMany: (ids: readonly (string | number)[], options?: Options) => Promise<Map<string, Value>>,
) {
  function call(id: string | number, options?: Options): Promise<Value | undefined>
  function call(ids: readonly (string | number)[], options?: Options): Promise<Map<string, Value>>
  async function call(
    ids: string | number | readonly (string | number)[],
    options?: Options,
  ): Promise<Value | Map<string, Value> | undefined> {
    if (typeof ids !== 'string' && typeof ids !== 'number') return ofMany(ids, options)
    const [value] = (await ofMany([ids], options)).values()
    return value
  }
  return call
}

/** The calls about single resources. */
export function resourceCalls(
  calls: ServerCalls,
): Pick<ChatServer, 'channels' | 'invitations' | 'organizations'> {
  return {
    channels: channelCalls(calls),
    invitations: invitationCalls(calls),
    organizations: organizationCalls(calls),
  }
}

/** `chat.channels`. */
function channelCalls({ run, resolve }: ServerCalls): ChatChannels {
  return {
    ensure: async (channel, options) =>
      run(() =>
        resolve(UserCalls).ensureChannel(channel, inTransaction('channels.ensure', options)),
      ),
    find: async (externalId, options) =>
      run(() =>
        resolve(UserCalls).findChannel(externalId, inOrganization('channels.find', options)),
      ),
  }
}

/** `chat.invitations`. */
function invitationCalls({ run, resolve }: ServerCalls): ChatInvitations {
  return {
    find: async (token, options) =>
      run(() =>
        resolve(UserCalls).findInvitation(token, inOrganization('invitations.find', options)),
      ),
    accept: async (answer, options) =>
      run(() =>
        resolve(UserCalls).acceptInvitation(answer, inTransaction('invitations.accept', options)),
      ),
  }
}

/** `chat.organizations`. */
function organizationCalls({ run, resolve }: ServerCalls): ChatOrganizations {
  return {
    load: async (file) => run(() => resolve(OrganizationLoader).load(file)),
    export: (reference) => exportOrganization({ run, resolve }, reference),
    import: async (archive, options) =>
      run(() =>
        resolve(OrganizationImport).load(
          archive,
          knownOptions('chat.organizations.import', options, { subdomain: true }),
        ),
      ),
    create: async (organization) => run(() => resolve(OrganizationCreation).create(organization)),
    ensure: async (organization) => run(() => resolve(OrganizationCreation).ensure(organization)),
    deactivate: async (subdomain) =>
      run(() => resolve(OrganizationLifecycle).deactivate(subdomain)),
    reactivate: async (subdomain) =>
      run(() => resolve(OrganizationLifecycle).reactivate(subdomain)),
    list: () => listOrganizations({ run, resolve }),
    find: async (reference) =>
      run(() => resolve(OrganizationDirectory).find('chat.organizations.find', reference)),
    update: async (reference, update) =>
      run(() => resolve(OrganizationDirectory).update(reference, update)),
    delete: async (reference, options) =>
      run(() =>
        resolve(OrganizationDeletion).delete(
          reference,
          knownOptions('chat.organizations.delete', options, { confirm: true }),
        ),
      ),
  }
}

/** `chat.audit`. */
export async function* auditEntries(
  { run, resolve }: ServerCalls,
  options: AuditOptions | undefined,
): AsyncGenerator<AuditLogEntry, void, undefined> {
  const pages = await run(async () => resolve(AuditLog).pages(options))
  for (;;) {
    const page = await run(() => pages.next())
    if (page.done === true) return
    yield* page.value
  }
}

/** Reads each page as a call of its own, so that closing the server does not wait for all of them. */
async function* exportLines(
  { run, resolve }: ServerCalls,
  user: AccountReference,
  options: (ExportOptions & OrganizationReference) | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  const pages = await run(async () =>
    resolve(UserExport).pages(
      user,
      knownOptions('chat.users.export', options, { organization: true, fileContents: true }),
    ),
  )
  try {
    for (;;) {
      const page = await run(() => pages.next())
      if (page.done === true) return
      yield Buffer.from(page.value.map((record) => `${JSON.stringify(record)}\n`).join(''))
    }
  } finally {
    // Closes the file that is being read, if the application stops iterating.
    await pages.return()
  }
}

/** Not a call that closing the server waits for: it may take hours, and ends with an error then. */
async function* exportOrganization(
  { run, resolve }: ServerCalls,
  reference: string | number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const call = 'chat.organizations.export'
  const { id } = await run(() => resolve(OrganizationDirectory).require(call, reference))
  const archives = resolve(OrganizationExport)
  await run(() => archives.audit(id))
  yield* archives.bytes(id, 'full')
}

async function* listOrganizations({
  run,
  resolve,
}: ServerCalls): AsyncGenerator<ApplicationOrganization, void, undefined> {
  let page: readonly ApplicationOrganization[] = []
  do {
    const afterId = page.at(-1)?.id ?? 0
    page = await run(() => resolve(OrganizationDirectory).page(afterId))
    yield* page
  } while (page.length > 0)
}
