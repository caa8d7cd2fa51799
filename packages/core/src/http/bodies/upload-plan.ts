import { ChatError } from '../../errors/index.js'
import type { Operation } from '../operation.js'
import { noOrganization, type Organization } from '../ports.js'
import type { UploadPlan } from './multipart-reader.js'

/** How the files of a request are received; undefined if the operation takes none. */
export function uploadPlan(
  { upload }: Operation,
  service: unknown,
  organization: Organization | undefined,
): UploadPlan | undefined {
  if (upload === undefined) return undefined
  const { id } = organization ?? noOrganization
  return {
    maxFileBytes: upload.maxFileBytes(service),
    receive:
      upload.receive === undefined
        ? undefined
        : async (file) => upload.receive?.(service, file, id),
    abandon: async (received) => upload.abandon?.(service, received),
    tooLarge: () => upload.tooLarge?.(service) ?? new ChatError('PAYLOAD_TOO_LARGE'),
  }
}
