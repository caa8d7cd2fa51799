// The members of the driver that tests use. It ships no types.
declare module 'pg' {
  const driver: {
    readonly types: {
      readonly builtins: { readonly INT8: number }
      getTypeParser(oid: number, format?: 'text'): (value: string) => unknown
    }
  }
  export default driver
}
