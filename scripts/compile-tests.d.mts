/** See `compile-tests.mjs`. */
export function compileTests(root: string, files: readonly string[], folder: string): Promise<void>
