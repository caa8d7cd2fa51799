/** An archive that cannot be loaded. No part of it was stored. */
export class OrganizationArchiveError extends TypeError {
  constructor(
    /** Problems, each beginning with its place: the name of a file in the archive, and a line. */
    readonly problems: readonly string[],
  ) {
    super(`The archive of the organization is wrong: ${problems.join('; ')}`)
    this.name = 'OrganizationArchiveError'
  }
}
