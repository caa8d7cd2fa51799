/**
 * Options of every server of a run with `CHAT_TEST_FORCE_REPREPARE=1`: what is prepared before a
 * transaction is prepared in it again, as after a change by another process.
 */
export const preparingAgain =
  process.env.CHAT_TEST_FORCE_REPREPARE === '1'
    ? { [Symbol.for('@parley/core prepares again')]: true }
    : {}
