import type { Round } from '../../../kernel/periodic-task.js'
import type { OrganizationRepository } from './organization-repository.js'

const pageSize = 500

/**
 * Runs `work` for one organization after the other. A failure in one organization does not affect
 * the others; the first failure of a round is logged. Stops before the next organization when the
 * server closes.
 */
export async function eachOrganization(
  organizations: OrganizationRepository,
  { stopping, failed }: Round,
  work: (organizationId: number) => Promise<void>,
): Promise<void> {
  let hasFailed = false
  let page: readonly { readonly id: number }[] = []
  do {
    page = await organizations.list(pageSize, page.at(-1)?.id)
    for (const { id } of page) {
      if (stopping.aborted) return
      await work(id).catch((error: unknown) => {
        if (!hasFailed) failed(error)
        hasFailed = true
      })
    }
  } while (page.length === pageSize)
}
