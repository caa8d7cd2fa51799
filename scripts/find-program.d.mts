export function findProgram(names: readonly string[]): string | undefined
export function findChromium(): string | undefined
export function findWholeChromium(): string | undefined
