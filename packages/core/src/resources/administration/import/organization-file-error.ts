/** An organization file that cannot be loaded. No part of it was stored. */
export class OrganizationFileError extends TypeError {
  constructor(
    /** All problems, each beginning with its location as a JSON pointer. */
    readonly problems: readonly string[],
  ) {
    super(`The organization file is wrong: ${problems.join('; ')}`)
    this.name = 'OrganizationFileError'
  }
}
