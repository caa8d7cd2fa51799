/**
 * Any JSON of a server or a client: tests assert its shape, so that an assertion, and not the
 * compiler, reports what is wrong with it.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- the only place: what JSON.parse gives
export type UncheckedJson = any
