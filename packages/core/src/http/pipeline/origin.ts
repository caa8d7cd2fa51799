/** The origin of a URL as browsers serialize it: in lower case, without the default port. */
export function originOf(address: string | undefined): string | undefined {
  return address !== undefined && URL.canParse(address) ? new URL(address).origin : undefined
}
