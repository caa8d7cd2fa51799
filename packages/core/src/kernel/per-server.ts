import { Lifecycle, scoped } from 'tsyringe'

/**
 * Marks a class that has exactly one instance per `createChatServer()`.
 *
 * tsyringe's container scope: two servers in one process share nothing. Every constructor parameter
 * needs an explicit `@inject(Token)`, because the tests run under esbuild, which emits no decorator
 * metadata.
 */
export function perServer<T>(): ReturnType<typeof scoped<T>> {
  return scoped(Lifecycle.ContainerScoped)
}
