/** The result of a call that is asynchronous only where it has to wait. */
export type MaybePromise<Value> = Value | Promise<Value>

/** Calls `use` with a result: at once, if it is there. */
export function whenDone<Value, Result>(
  value: MaybePromise<Value>,
  use: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> {
  return value instanceof Promise ? value.then(use) : use(value)
}
