import type { InjectionToken } from 'tsyringe'

import type { ChatOrganizations, ChatUsers } from './chat-server-parts.js'
import { OrganizationLoader } from './resources/administration/import/index.js'
import {
  OrganizationCreation,
  OrganizationDeletion,
  OrganizationDirectory,
  OrganizationLifecycle,
  type ApplicationOrganization,
} from './resources/administration/organization-lifecycle/index.js'
import {
  UserErasure,
  UserExport,
  type ExportOptions,
} from './resources/administration/personal-data/index.js'
import type { AccountReference, OrganizationReference } from './resources/people/users/index.js'
import type { CallRunner } from './user-calls.js'

/** How calls of the application reach the services of a server. */
export interface ServerCalls {
  readonly run: CallRunner
  readonly resolve: <Service>(token: InjectionToken<Service>) => Service
}

/** The calls of `chat.users` about all data of a user. */
export function personalDataCalls({
  run,
  resolve,
}: ServerCalls): Pick<ChatUsers, 'erase' | 'export'> {
  return {
    erase: async (user, options) => run(() => resolve(UserErasure).erase(user, options)),
    export: (user, options) => exportLines({ run, resolve }, user, options),
  }
}

/** `chat.organizations`. */
export function organizationCalls({ run, resolve }: ServerCalls): ChatOrganizations {
  return {
    load: async (file) => run(() => resolve(OrganizationLoader).load(file)),
    create: async (organization) => run(() => resolve(OrganizationCreation).create(organization)),
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
      run(() => resolve(OrganizationDeletion).delete(reference, options)),
  }
}

/** Reads each page as a call of its own, so that closing the server does not wait for all of them. */
async function* exportLines(
  { run, resolve }: ServerCalls,
  user: AccountReference,
  options: (ExportOptions & OrganizationReference) | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  const pages = await run(async () => resolve(UserExport).pages(user, options))
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
