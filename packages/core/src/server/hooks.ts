import type { ContentHook, HookCaller } from '../events/application/operation-hooks.js'
import type { ReturnedFile } from '../http/replies/plain-result.js'
import type { OperationMap } from './api-types.generated.js'

/** A call of an operation, as the hooks of `chat.before` see it. */
export interface OperationCall<Name extends keyof OperationMap> extends HookCaller {
  readonly operation: Name
  /**
   * The parameters, checked, with their defaults and without files. Frozen: a hook returns the ones
   * to change.
   */
  readonly params: Readonly<Omit<OperationMap[Name]['params'], 'file'>>
}

/** A call that has succeeded, as the hooks of `chat.after` see it. */
export interface OperationSuccess<Name extends keyof OperationMap> extends OperationCall<Name> {
  /** The result, a copy; of a file only its type. */
  readonly result: OperationMap[Name]['result'] extends ReturnedFile
    ? Pick<ReturnedFile, 'contentType'>
    : OperationMap[Name]['result']
}

type Changes<Name extends keyof OperationMap> = Partial<OperationCall<Name>['params']>

/**
 * Returns the parameters to change, which are checked as those of a client; nothing to change none.
 * An optional parameter that it returns as undefined is removed.
 */
export type BeforeHook<Name extends keyof OperationMap> = (
  call: OperationCall<Name>,
) => Promise<Changes<Name> | void> | Changes<Name> | void

/** Hooks of `chat.before`, by what they run before. */
export type BeforeHooks = {
  readonly [Name in keyof OperationMap]: BeforeHook<Name>
} & { readonly content: ContentHook }

export type AfterHook<Name extends keyof OperationMap> = (
  call: OperationSuccess<Name>,
) => Promise<void> | void
