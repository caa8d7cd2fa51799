import type { ChatAddress } from '../../kernel/chat-address.js'

/** The images of an organization: a square one, and wide ones for a light and a dark background. */
export const organizationImageNames = ['icon', 'logo', 'night_logo'] as const
export type OrganizationImageName = (typeof organizationImageNames)[number]

/** The stored data of an image, besides its file. */
export interface OrganizationImage {
  /** Increases with every change. */
  readonly version: number
  readonly isUploaded: boolean
}

export type OrganizationImages = Readonly<Record<OrganizationImageName, OrganizationImage>>

const initial: OrganizationImage = { version: 1, isUploaded: false }
export const initialOrganizationImages: OrganizationImages = {
  icon: initial,
  logo: initial,
  night_logo: initial,
}

/** The fields of an organization that decide the URLs of its images. */
interface Pictured {
  readonly id: number
  readonly images: OrganizationImages
}

/** URL of the generated image for an organization without an uploaded one; derived from its id. */
function drawnUrl(id: number, version: number, address: ChatAddress): string {
  return address.file(`/user_avatars/default/organization-${id}.png?version=${version}`)
}

function imageUrl(
  { id, images }: Pictured,
  name: OrganizationImageName,
  address: ChatAddress,
): string {
  const { version, isUploaded } = images[name]
  return isUploaded
    ? address.file(`/user_avatars/${id}/realm/${name}.png?version=${version}`)
    : drawnUrl(id, name === 'icon' ? version : 1, address)
}

/** The fields `…_source` and `…_url` of an image, without a prefix. */
export function organizationImageValues(
  organization: Pictured,
  name: OrganizationImageName,
  address: ChatAddress,
): Readonly<Record<string, string>> {
  const drawn = name === 'icon' ? 'G' : 'D'
  return {
    [`${name}_source`]: organization.images[name].isUploaded ? 'U' : drawn,
    [`${name}_url`]: imageUrl(organization, name, address),
  }
}

/** URL of the organization's square image. */
export function organizationIconUrl(organization: Pictured, address: ChatAddress): string {
  return imageUrl(organization, 'icon', address)
}
