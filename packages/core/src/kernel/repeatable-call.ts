/** A call that the application repeats if it does not know whether it succeeded. */
export interface RepeatableCall {
  /** SHA-256 of the caller and the application's key, hexadecimal. */
  readonly keyHash: string
  /** SHA-256 of the parameters, hexadecimal: a key belongs to one call. */
  readonly paramsHash: string
}
