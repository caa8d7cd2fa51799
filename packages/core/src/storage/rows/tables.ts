/** The type of the rows of every table, by its name without prefix; `resources/tables.ts` adds them. */
// oxlint-disable-next-line typescript/no-empty-object-type -- filled by declaration merging
export interface Tables {}

/** The same for rows to insert. */
// oxlint-disable-next-line typescript/no-empty-object-type -- filled by declaration merging
export interface NewRows {}

export type TableName = keyof Tables & string
export type OrganizationRow = Tables['organizations']
