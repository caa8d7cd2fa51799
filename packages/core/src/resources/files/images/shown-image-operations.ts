import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { ChatError } from '../../../errors/index.js'
import { FileReply, type RequestFacts } from '../../../http/operation.js'

/** An image as it is served. */
export interface ShownImage {
  readonly content: Buffer
  readonly contentType: string
}

/** An image that another server has. */
export interface ImageElsewhere {
  readonly location: string
}

/**
 * The common part of the operations that serve images of an organization to any client that has
 * their address. The address changes with the image.
 */
export const shownImage = {
  method: 'GET',
  isAtRoot: true,
  access: 'anyone',
  mediaType: 'image/*',
  otherStatuses: [302],
  params: {
    realm_id: Bounded.id(),
    file_name: Bounded.name(),
    version: Bounded.integer({ default: 0 }),
  },
  response: Type.Object({}),
  errors: ['ROUTE_NOT_FOUND'],
} as const

/**
 * The response of such an operation.
 *
 * @param find reads the image; not called for the id of another organization.
 * @param headers say who may cache the image.
 * @throws {ChatError} `ROUTE_NOT_FOUND` if there is no image.
 */
export async function showImage(
  { organization }: RequestFacts,
  realmId: number,
  find: (organizationId: number) => Promise<ShownImage | ImageElsewhere | undefined>,
  headers: Readonly<Record<string, string>>,
): Promise<FileReply> {
  const isOwn = realmId === organization.id && !organization.isDeactivated
  const image = isOwn ? await find(organization.id) : undefined
  if (image === undefined) throw new ChatError('ROUTE_NOT_FOUND')
  if ('location' in image) {
    const elsewhere = { ...headers, Location: image.location }
    return new FileReply(Buffer.alloc(0), 'text/plain', {
      status: 302,
      headers: elsewhere,
    })
  }
  return new FileReply(image.content, image.contentType, { headers })
}
