const ordinary = Function.prototype[Symbol.hasInstance]

/**
 * Makes `instanceof` true for the instances of every copy of an error class.
 *
 * An application may have loaded this package more than once: in two versions, or as a part of a
 * bundle. An error that one of its hooks throws may then belong to another copy than the code that
 * catches it.
 */
export function acceptEveryCopy(errorClass: { readonly prototype: Error }, name: string): void {
  const mark = Symbol.for(`@parley/core/${name}`)
  Object.defineProperty(errorClass.prototype, mark, { value: true })
  Object.defineProperty(errorClass, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      // Subclasses inherit this function.
      if (this !== errorClass) return ordinary.call(this as () => unknown, value)
      return typeof value === 'object' && value !== null && mark in value
    },
  })
}
