/** The origin of an address as browsers write it: in lower case, without the scheme's own port. */
export function originOf(address: string | undefined): string | undefined {
  return address !== undefined && URL.canParse(address) ? new URL(address).origin : undefined
}
