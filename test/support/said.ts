/**
 * Whatever a server or a client says: JSON whose shape is what a test is there to find out, so that
 * an assertion, and not the compiler, says what is wrong with it.
 */
// eslint-disable-next-line typescript/no-explicit-any -- the only place: what JSON.parse gives
export type Said = any
